package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.client.ZooKeeperAsyncClient;
import io.github.leaderelection.zookeeper.protocol.Event;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the engine how the connection is. Where it may open sessions it replaces one that has expired; a plain client is
 * the application's, is never closed here, and is replaced by the application alone. Confined to the loop.
 */
public final class SessionManager {

    private static final Logger log = LoggerFactory.getLogger(SessionManager.class);
    private static final long LOOK_INTERVAL = 200_000_000L;
    /** For so long a client may call itself connected after it has told that it is not. */
    private static final long OBLIVIOUS = 2_500_000_000L;

    private final Engine engine;
    private final ZooKeeperAsyncClient asyncClient;
    private final Executor loop;
    private final Executor blocking;
    private final Timers timers;
    private final Clock clock;
    private final @Nullable SessionSource sessions;
    private final Consumer<ElectionException> onFailure;
    private @Nullable Handle current;
    private boolean closed;

    public SessionManager(
            Engine engine,
            ZooKeeperAsyncClient asyncClient,
            Executor loop,
            Executor blocking,
            Timers timers,
            Clock clock,
            @Nullable SessionSource sessions,
            Consumer<ElectionException> onFailure) {
        this.engine = engine;
        this.asyncClient = asyncClient;
        this.loop = loop;
        this.blocking = blocking;
        this.timers = timers;
        this.clock = clock;
        this.sessions = sessions;
        this.onFailure = onFailure;
    }

    /** One client, for as long as its session lasts. */
    private final class Handle implements Watcher {
        private @Nullable ZooKeeper client;
        private long downSince = clock.nanos();
        private boolean cut;
        private long cutAt;

        /** The client's state changes only when it tries to connect again, and it takes its time to do so. */
        private boolean wasJustCut() {
            return cut && clock.nanos() - cutAt < OBLIVIOUS;
        }

        @Override
        public void process(WatchedEvent event) {
            loop.execute(() -> {
                if (this != current || client == null) {
                    return;
                }
                if (event.getType() == Event.EventType.None) {
                    cut = event.getState() == Event.KeeperState.Disconnected;
                    if (cut) {
                        cutAt = clock.nanos();
                        engine.disconnected();
                    } else {
                        look();
                    }
                } else if (event.getPath() != null) {
                    engine.watchTriggered(event.getPath(), event.getType());
                }
            });
        }
    }

    /** Starts with the given client, or with a session of its own making. */
    public void start(@Nullable ZooKeeper client) {
        if (client != null) {
            adopt(new Handle(), client);
        } else {
            open();
        }
        lookNowAndThen();
    }

    /** Goes on with a fresh client of the application's. */
    public void replace(ZooKeeper client) {
        if (!closed && (current == null || current.client != client)) {
            List<String> nodes = engine.nodes();
            engine.expired();
            // The last client may be alive: then its session goes on, and a node on it would stand in everybody's way.
            nodes.forEach(node -> asyncClient.send(new Request.Delete(node, -1), reply -> {}));
            adopt(new Handle(), client);
        }
    }

    private void adopt(Handle handle, ZooKeeper client) {
        handle.client = client;
        handle.downSince = clock.nanos();
        current = handle;
        asyncClient.use(client, handle);
        look();
    }

    private void open() {
        SessionSource source = sessions;
        if (source == null || closed) {
            return;
        }
        Handle handle = new Handle();
        current = handle;
        blocking.execute(() -> open(source, handle));
    }

    private void open(SessionSource source, Handle handle) {
        try {
            ZooKeeper client = Objects.requireNonNull(source.open(handle), "there is no client");
            loop.execute(() -> {
                if (closed) {
                    dispose(client);
                } else {
                    adopt(handle, client);
                }
            });
        } catch (Throwable failure) {
            // An Error, too: a client starts threads, which may not be had just now.
            loop.execute(() -> openLater(failure));
        }
    }

    private void openLater(Throwable failure) {
        onFailure.accept(new ElectionConnectionException(
                "Cannot open a session with ZooKeeper: " + failure.getMessage(), failure));
        timers.at(clock.nanos() + 5 * LOOK_INTERVAL, this::open);
    }

    /** A plain client tells its state only to those who hold a watch, so somebody has to look. */
    private void lookNowAndThen() {
        if (!closed) {
            timers.at(clock.nanos() + LOOK_INTERVAL, this::lookNowAndThen);
            look();
        }
    }

    private void look() {
        Handle handle = current;
        if (handle == null || handle.client == null) {
            return;
        }
        ZooKeeper client = handle.client;
        switch (client.getState()) {
            case CONNECTED -> {
                if (!handle.wasJustCut()) {
                    handle.downSince = 0;
                    engine.connected(client.getSessionId(), client.getSessionTimeout());
                }
            }
            case CLOSED -> over(client, "its session has expired, or it was closed");
            case AUTH_FAILED -> refused(client);
            default -> {
                handle.cut = false;
                engine.disconnected();
                giveUp(handle, client);
            }
        }
    }

    /** A client never gives up where TCP connects and the server refuses; its nodes are gone by then in any case. */
    private void giveUp(Handle handle, ZooKeeper client) {
        long now = clock.nanos();
        if (handle.downSince == 0) {
            handle.downSince = now;
        }
        long patience = 2L * client.getSessionTimeout() * 1_000_000;
        if (sessions != null && engine.connection().session() != 0 && now - handle.downSince > patience) {
            over(client, "it could not connect for twice its session timeout");
        }
    }

    /** Not replaced at once: a server that refuses the credentials now will most likely do so again. */
    private void refused(ZooKeeper client) {
        String why = "its authentication failed; check the credentials";
        if (sessions == null || closed) {
            over(client, why);
            return;
        }
        current = null;
        engine.expired();
        dispose(client);
        onFailure.accept(new ElectionConnectionException("ZooKeeper refuses the connection: " + why));
        timers.at(clock.nanos() + 5 * LOOK_INTERVAL, this::open);
    }

    private void over(ZooKeeper client, String why) {
        current = null;
        engine.expired();
        if (closed) {
            return;
        }
        if (sessions != null) {
            log.info("The ZooKeeper connection is replaced: {}", why);
            dispose(client);
            open();
        } else {
            onFailure.accept(new ElectionConnectionException("The application's ZooKeeper connection cannot be used any"
                    + " more: " + why + ". Give a fresh one to ZooKeeperElections.reconnect()"));
        }
    }

    private void dispose(ZooKeeper client) {
        blocking.execute(() -> close(client));
    }

    /** Stops looking; returns the client if it is ours to be closed. */
    @Nullable
    public ZooKeeper close() {
        closed = true;
        Handle handle = current;
        current = null;
        return sessions != null && handle != null ? handle.client : null;
    }

    public static void close(ZooKeeper client) {
        try {
            client.close(1_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
