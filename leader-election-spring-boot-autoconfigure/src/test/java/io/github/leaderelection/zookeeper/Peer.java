package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.engine.SessionManager;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * One process of a {@link Scene}, as far as one JVM can have several: a link of its own to the server, a client that can
 * be made to lose and to lag, a candidate, and a record of what that was told.
 */
final class Peer implements AutoCloseable {

    /** For what is to happen: long, so that a slow machine does not matter, and never slept through. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final int sessionTimeout;
    private final Consumer<StaleZooKeeper> onOpen;
    private final List<StaleZooKeeper> clients = new CopyOnWriteArrayList<>();
    private final boolean closesClients;

    final TcpProxy connection;
    final Recorder recorder = new Recorder();
    final ZooKeeperElections elections;
    final Election election;

    private Peer(
            TcpProxy connection,
            Duration sessionTimeout,
            ElectionOptions options,
            @Nullable Clock clock,
            String path,
            Consumer<StaleZooKeeper> onOpen)
            throws IOException {
        this.connection = connection;
        this.sessionTimeout = (int) sessionTimeout.toMillis();
        this.onOpen = onOpen;
        this.closesClients = clock != null;
        this.elections = clock == null
                ? ZooKeeperElections.over(this::open, options)
                : ZooKeeperElections.over(open(event -> {}), options, clock);
        this.election = elections.election("orders", path);
        election.addListener(recorder);
    }

    /** One whose sessions are replaced when they expire. */
    static Peer withSessions(
            TestServer server,
            Duration sessionTimeout,
            ElectionOptions options,
            String path,
            Consumer<StaleZooKeeper> onOpen)
            throws IOException {
        return new Peer(new TcpProxy(server.port()), sessionTimeout, options, null, path, onOpen);
    }

    /** One with a single session, and a clock that can be moved. */
    static Peer withClock(TestServer server, Duration sessionTimeout, ElectionOptions options, String path, Clock clock)
            throws IOException {
        return new Peer(new TcpProxy(server.port()), sessionTimeout, options, clock, path, client -> {});
    }

    private StaleZooKeeper open(Watcher watcher) throws IOException {
        var client = new StaleZooKeeper(connection.address(), sessionTimeout, watcher);
        onOpen.accept(client);
        clients.add(client);
        return client;
    }

    /** The client in use. */
    StaleZooKeeper client() {
        return clients.get(clients.size() - 1);
    }

    /** How many sessions were opened so far. */
    int sessions() {
        return clients.size();
    }

    Peer nominate() {
        election.nominate();
        return this;
    }

    boolean isLeader() {
        return election.isLeader();
    }

    /** Waits until it leads. */
    Leadership leads() {
        await().atMost(PATIENCE).until(election::isLeader);
        return await().atMost(PATIENCE).until(() -> election.leadership().orElse(null), term -> term != null);
    }

    /** Waits until it follows another candidate, watches it, and sees its beats. */
    Peer follows() {
        await().atMost(PATIENCE).until(() -> election.status().following().isPresent());
        return this;
    }

    /** Waits until it does not lead. */
    void leadsNoMore() {
        await().atMost(PATIENCE).until(() -> !election.isLeader());
    }

    /** Waits for these events, and sees that there were no others before or in between. */
    void hears(String... events) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(recorder.events()).startsWith(events));
    }

    long token() {
        return election.status().candidate().orElseThrow().fencingToken();
    }

    /** Does something that may block, elsewhere. */
    static CompletableFuture<Void> inBackground(Runnable action) {
        var done = new CompletableFuture<Void>();
        Thread thread = new Thread(
                () -> {
                    try {
                        action.run();
                        done.complete(null);
                    } catch (RuntimeException failure) {
                        done.completeExceptionally(failure);
                    }
                },
                "peer");
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    @Override
    public void close() {
        connection.open();
        elections.close();
        if (closesClients) {
            clients.forEach(SessionManager::close);
        }
        connection.close();
    }
}
