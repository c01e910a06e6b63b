package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.ZooKeeperAsyncClient;
import java.io.IOException;
import java.util.Objects;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the state of the connection to the engine. With a source of sessions it replaces expired sessions. A plain
 * client belongs to the application, which alone closes and replaces it. Confined to the loop.
 */
public final class SessionManager {

    private static final Logger log = LoggerFactory.getLogger(SessionManager.class);
    private static final long POLL_INTERVAL = 200_000_000L;
    private static final long RETRY_INTERVAL = 1_000_000_000L;
    /** How long a client may claim to be connected after it has reported a disconnect: until it reconnects. */
    private static final long STALE_STATE = 2_500_000_000L;

    private final Engine engine;
    private final ZooKeeperAsyncClient asyncClient;
    private final EngineThreads threads;
    private final @Nullable Source source;
    private @Nullable Session current;
    private boolean closing;
    private boolean closed;

    /** @param source null for a plain client */
    public SessionManager(
            Engine engine, ZooKeeperAsyncClient asyncClient, EngineThreads threads, @Nullable Source source) {
        this.engine = engine;
        this.asyncClient = asyncClient;
        this.threads = threads;
        this.source = source;
    }

    /** Opens sessions with ZooKeeper: the first one, and another after each expiry. */
    @FunctionalInterface
    public interface Source {
        ZooKeeper open(Watcher watcher) throws IOException;
    }

    /** One client, for as long as its session lasts; the client is null while it is being opened. */
    private final class Session implements Watcher {
        private @Nullable ZooKeeper client;
        private long trustedFrom = engine.clock.nanos();
        private @Nullable Long downSince;

        @Override
        public void process(WatchedEvent event) {
            engine.loop.execute(() -> {
                if (this == current && client != null) {
                    handle(event, client);
                }
            });
        }

        private void handle(WatchedEvent event, ZooKeeper client) {
            if (event.getType() != Event.EventType.None) {
                engine.watchTriggered(event.getPath(), event.getType());
            } else if (event.getState() == Event.KeeperState.Disconnected) {
                trustedFrom = engine.clock.nanos() + STALE_STATE;
                engine.disconnected();
            } else {
                trustedFrom = engine.clock.nanos();
                check(client);
            }
        }

        private void check(ZooKeeper client) {
            long now = engine.clock.nanos();
            switch (client.getState()) {
                case CONNECTED -> {
                    if (now - trustedFrom >= 0) {
                        downSince = null;
                        engine.connected(client.getSessionId(), client.getSessionTimeout());
                    }
                }
                case CLOSED -> end(client, "its session has expired, or it was closed", false);
                case AUTH_FAILED -> end(client, "its authentication failed; check the credentials", true);
                default -> {
                    trustedFrom = now;
                    downSince = downSince == null ? now : downSince;
                    engine.disconnected();
                    // If TCP connects but the server refuses, a client retries forever.
                    boolean givesUp = now - downSince > 2_000_000L * client.getSessionTimeout();
                    if (givesUp && source != null && engine.connection().session() != 0) {
                        end(client, "it could not connect for twice its session timeout", false);
                    }
                }
            }
        }
    }

    /** Starts with the given client, or opens a session. */
    public void start(@Nullable ZooKeeper client) {
        if (client != null) {
            use(client, new Session());
        } else {
            open();
        }
        poll();
    }

    /** Continues with a fresh client of the application. */
    public void replace(ZooKeeper client) {
        if (!closed && (current == null || current.client != client)) {
            // The old client may still be alive: its session would go on, and its nodes would block other candidates.
            engine.vacate(() -> {
                engine.expired();
                use(client, new Session());
            });
        }
    }

    private void use(ZooKeeper client, Session session) {
        session.client = client;
        current = session;
        asyncClient.use(client, session);
        session.check(client);
    }

    private void open() {
        Source sessions = source;
        if (sessions != null && !closing) {
            Session session = new Session();
            current = session;
            threads.startBlocking(() -> open(sessions, session));
        }
    }

    private void open(Source sessions, Session session) {
        try {
            ZooKeeper client = Objects.requireNonNull(sessions.open(session), "there is no client");
            engine.loop.execute(() -> {
                if (closing) {
                    dispose(client);
                } else {
                    use(client, session);
                }
            });
        } catch (Throwable failure) {
            // An Error too: a client starts threads, and a container may be out of them.
            engine.loop.execute(() -> openLater(new ElectionConnectionException(
                    "Cannot open a session with ZooKeeper: " + failure.getMessage(), failure)));
        }
    }

    private void openLater(ElectionException failure) {
        engine.listener.refused(failure);
        engine.after(RETRY_INTERVAL, this::open);
    }

    /** A plain client reports its state only to watchers, so it has to be polled. */
    private void poll() {
        if (!closed) {
            engine.after(POLL_INTERVAL, this::poll);
            if (current != null && current.client != null) {
                current.check(current.client);
            }
        }
    }

    /** @param refused whether the server will probably refuse the next session too, which is then opened later */
    private void end(ZooKeeper client, String why, boolean refused) {
        current = null;
        engine.expired();
        if (closing) {
            if (source != null) {
                dispose(client);
            }
            return;
        }
        if (source == null) {
            engine.listener.refused(
                    new ElectionConnectionException("The application's ZooKeeper connection cannot be used any"
                            + " more: " + why + ". Give a fresh one to ZooKeeperElections.reconnect()"));
            return;
        }
        dispose(client);
        if (refused) {
            openLater(new ElectionConnectionException(
                    "ZooKeeper refuses the connection: " + why, new KeeperException.AuthFailedException()));
        } else {
            log.info("The ZooKeeper connection is replaced: {}", why);
            open();
        }
    }

    private void dispose(ZooKeeper client) {
        threads.startBlocking(() -> close(client));
    }

    /** Opens no more sessions: all elections are being left, and their nodes end with the current session. */
    public void beginToClose() {
        closing = true;
    }

    /** Whether sessions are opened and replaced here, and not by the application. */
    public boolean ownsSessions() {
        return source != null;
    }

    /** Stops; returns the client if it has to be closed. */
    public @Nullable ZooKeeper close() {
        closing = true;
        closed = true;
        Session session = current;
        current = null;
        return source != null && session != null ? session.client : null;
    }

    public static void close(ZooKeeper client) {
        try {
            client.close(1_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
