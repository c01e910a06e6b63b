package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.support.ConnectionStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The state of the connection. The loop changes it; any thread may read it. */
public final class ConnectionState {

    /** The session timeout, in milliseconds, that is assumed before the first one is negotiated. */
    private static final long USUAL_TIMEOUT = 10_000;

    private final Clock clock;
    private final EngineConfig config;
    private volatile boolean up;
    private volatile long downSince;
    private volatile long session;
    private volatile long sessionTimeout;

    ConnectionState(Clock clock, EngineConfig config) {
        this.clock = clock;
        this.config = config;
        this.downSince = clock.nanos();
    }

    public boolean isUp() {
        return up;
    }

    /** The id of the session; 0 while there is none. */
    public long session() {
        return session;
    }

    public long sessionTimeout() {
        return sessionTimeout;
    }

    /** This process's own lease, in milliseconds; a server that negotiates a shorter session shortens it. */
    public long lease() {
        Long configured = config.lease();
        long timeout = sessionTimeout == 0 ? USUAL_TIMEOUT : sessionTimeout;
        return configured == null || configured >= timeout ? Math.max(1, timeout / 3) : configured;
    }

    /** How long before the end of its lease a leader stops leading, in milliseconds. */
    long grace() {
        Long configured = config.grace();
        return configured == null || configured >= lease() ? lease() / 6 : configured;
    }

    /** The configured lease if the session is too short for it; otherwise null. */
    @Nullable
    Long refusedLease() {
        Long configured = config.lease();
        return configured != null && configured > lease() ? configured : null;
    }

    void up(long sessionId) {
        session = sessionId;
        up = true;
    }

    void down() {
        downSince = clock.nanos();
        up = false;
    }

    void expired() {
        session = 0;
    }

    /** Returns whether the timeout has changed. */
    boolean negotiated(long timeout) {
        boolean changed = timeout != sessionTimeout;
        sessionTimeout = timeout;
        return changed;
    }

    /** A snapshot for monitoring; before the first connection it counts as down since startup. */
    public ConnectionStatus status() {
        boolean connected = up;
        long id = session;
        long timeout = sessionTimeout;
        return new ConnectionStatus(
                connected ? ConnectionStatus.State.CONNECTED : ConnectionStatus.State.DISCONNECTED,
                id == 0 ? null : id,
                timeout == 0 ? null : Duration.ofMillis(timeout),
                Duration.ofMillis(lease()),
                connected ? Duration.ZERO : Duration.ofNanos(clock.nanos() - downSince));
    }
}
