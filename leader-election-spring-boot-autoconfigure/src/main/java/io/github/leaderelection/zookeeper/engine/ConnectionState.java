package io.github.leaderelection.zookeeper.engine;

import org.jspecify.annotations.Nullable;

/** How the connection is. The loop tells; anybody asks. */
public final class ConnectionState {

    /** In milliseconds; taken for the session's before the first one is negotiated. */
    private static final long USUAL_TIMEOUT = 10_000;

    private final Clock clock;
    private final @Nullable Long configuredLease;
    private volatile boolean up;
    private volatile long downSince;
    private volatile long session;
    private volatile long sessionTimeout;
    private volatile @Nullable String trouble;

    /** @param configuredLease null: a third of the negotiated session timeout */
    ConnectionState(Clock clock, @Nullable Long configuredLease) {
        this.clock = clock;
        this.configuredLease = configuredLease;
        this.downSince = clock.nanos();
    }

    public boolean isUp() {
        return up;
    }

    /** How long it has been down, while it is; never connected counts from the beginning. */
    public long downMillis() {
        return (clock.nanos() - downSince) / 1_000_000;
    }

    /** 0 while there is none. */
    public long session() {
        return session;
    }

    public long sessionTimeout() {
        return sessionTimeout;
    }

    /** This process's own lease, in milliseconds; a server that negotiates a shorter session shortens it. */
    public long lease() {
        long timeout = sessionTimeout == 0 ? USUAL_TIMEOUT : sessionTimeout;
        return configuredLease == null || configuredLease >= timeout ? Math.max(1, timeout / 3) : configuredLease;
    }

    /** The lease that was wished for and cannot be had; null if there is none. */
    @Nullable
    Long refusedLease() {
        return configuredLease != null && configuredLease > lease() ? configuredLease : null;
    }

    /** Why the connection cannot be used; null unless that is known. */
    @Nullable
    public String trouble() {
        return trouble;
    }

    public void trouble(@Nullable String reason) {
        trouble = reason;
    }

    void up(long sessionId) {
        session = sessionId;
        up = true;
    }

    void down() {
        downSince = clock.nanos();
        up = false;
    }

    /** The session is over. */
    void expired() {
        session = 0;
    }

    /** Whether that is news. */
    boolean negotiated(long timeout) {
        boolean news = timeout != sessionTimeout;
        sessionTimeout = timeout;
        return news;
    }
}
