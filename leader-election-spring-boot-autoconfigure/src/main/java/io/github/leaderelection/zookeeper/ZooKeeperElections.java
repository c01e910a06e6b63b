package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.ElectionRegistry;
import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.client.ZooKeeperAsyncClient;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.engine.Engine;
import io.github.leaderelection.zookeeper.engine.EngineThreads;
import io.github.leaderelection.zookeeper.engine.Heartbeat;
import io.github.leaderelection.zookeeper.engine.Loop;
import io.github.leaderelection.zookeeper.engine.PreflightCheck;
import io.github.leaderelection.zookeeper.engine.SessionManager;
import io.github.leaderelection.zookeeper.engine.Timers;
import io.github.leaderelection.zookeeper.engine.WarmUp;
import io.github.leaderelection.zookeeper.protocol.Protocol;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;

/**
 * Any number of elections over one connection to ZooKeeper. Two instances over the same connection are two candidates.
 */
public final class ZooKeeperElections implements AutoCloseable {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final ElectionOptions options;
    private final EngineThreads threads = new EngineThreads();
    private final EngineContext context;
    private final SessionManager sessionManager;
    private @Nullable Shutdown shutdown;

    private ZooKeeperElections(
            @Nullable ZooKeeper zooKeeper, @Nullable ZooKeeperSessions sessions, ElectionOptions options, Clock clock) {
        // First, since the first request needs what takes longest to load.
        WarmUp.once(threads);
        this.options = options;
        var loop = new Loop();
        var elections = new ElectionRegistry<ZooKeeperElection>();
        var gate = new ConnectionGate(options.connectionTimeout);
        var reports = new ConnectionReports(gate, elections, clock);
        var client = new ZooKeeperAsyncClient(loop, options.acl);
        Timers timers = threads.timers(loop, clock);
        var engine = new Engine(
                new Protocol(),
                client,
                loop,
                timers,
                clock,
                options.engineConfig(),
                ZooKeeperElections::newGuid,
                reports);
        var delivery = options.delivery(threads, (delay, task) -> timers.at(clock.nanosAfter(delay), task));
        var ids = new CandidateIds(engine.client());
        this.context = new EngineContext(elections, loop, engine, clock, gate, delivery, ids);
        SessionManager.Source source = sessions == null ? null : sessions::open;
        this.sessionManager = new SessionManager(engine, client, threads, source);
        loop.execute(() -> sessionManager.start(zooKeeper));
    }

    /** Unique, and short because it is part of every node's name: a list of many nodes has to fit into one answer. */
    private static String newGuid() {
        return new BigInteger(96, RANDOM).toString(Character.MAX_RADIX);
    }

    /** Creates elections over the application's connection, which is used but never closed. */
    public static ZooKeeperElections over(ZooKeeper zooKeeper) {
        return over(zooKeeper, ElectionOptions.defaults());
    }

    /** Creates elections over the application's connection, which is used but never closed. */
    public static ZooKeeperElections over(ZooKeeper zooKeeper, ElectionOptions options) {
        return over(Objects.requireNonNull(zooKeeper), options, Clock.SYSTEM);
    }

    /** Creates elections over sessions that are opened, replaced after they expire, and closed as needed. */
    public static ZooKeeperElections over(ZooKeeperSessions sessions, ElectionOptions options) {
        return new ZooKeeperElections(null, Objects.requireNonNull(sessions), options, Clock.SYSTEM);
    }

    static ZooKeeperElections over(ZooKeeper zooKeeper, ElectionOptions options, Clock clock) {
        return new ZooKeeperElections(zooKeeper, null, options, clock);
    }

    /**
     * Returns the election of that name: the same object while it is open, a new one after it was closed.
     *
     * @throws IllegalArgumentException if the path is not a valid ZooKeeper path, the name is blank or not a single
     *     line, or an election of that name is open at another path
     * @throws ElectionConnectionException if there has been no usable connection yet (unless {@code failFast(false)})
     * @throws ElectionNotFoundException if the node is missing and must not be created (unless {@code failFast(false)})
     */
    public Election election(String name, String path) {
        return election(name, path, UnaryOperator.identity());
    }

    /**
     * Returns the election of that name, as {@link #election(String, String)} does.
     *
     * @param change changes options for that election, such as the priority or the drain timeout, if this call opens
     *     it. Options of the whole connection, such as the lease, have no effect.
     */
    public Election election(String name, String path, UnaryOperator<ElectionOptions> change) {
        validate(name, path);
        ZooKeeperElection known = context.elections().find(name, path);
        if (known != null) {
            return known;
        }
        if (options.failFast) {
            awaitConnection();
            if (!options.createPaths) {
                preflight(Map.of(name, path));
            }
        }
        ElectionOptions own = change.apply(options);
        // On the loop, another thread may have opened the election meanwhile, or closed all of them.
        var opened = CompletableFuture.supplyAsync(
                () -> context.elections().open(name, path, earlier -> new ZooKeeperElection(name, path, own, context)),
                context.loop());
        try {
            return opened.join();
        } catch (CompletionException refused) {
            throw refused.getCause() instanceof RuntimeException cause ? cause : refused;
        }
    }

    private void validate(String name, String path) {
        PathUtils.validatePath(path);
        if (name.isBlank() || !OneLine.isReadable(name)) {
            throw new IllegalArgumentException(
                    "The name of an election must be one readable line, but is '%s'".formatted(OneLine.of(name)));
        }
        String beats = Heartbeat.parent(options.root);
        if (path.equals("/") || path.equals(beats) || path.startsWith(beats + "/")) {
            throw new IllegalArgumentException(
                    "An election needs a node of its own, such as /elections/orders, and cannot be at " + path);
        }
    }

    private void awaitConnection() {
        context.gate().await();
        options.validateLease(Duration.ofMillis(context.engine().connection().sessionTimeout()));
    }

    /**
     * Checks that the given elections can be joined, without changing anything in ZooKeeper.
     *
     * @param paths the elections' paths by their names
     * @throws ElectionConnectionException if there is no usable connection
     * @throws ElectionNotFoundException if a node is missing and must not be created
     * @throws ElectionException if ZooKeeper does not permit creating nodes there
     */
    public void preflight(Map<String, String> paths) {
        awaitConnection();
        var checked = context.onLoop(() -> beginPreflight(paths));
        EngineContext.await(checked, options.connectionTimeout, "Checking", "the elections");
    }

    private CompletableFuture<Void> beginPreflight(Map<String, String> paths) {
        List<CompletableFuture<Void>> checks = new ArrayList<>();
        paths.forEach((name, path) ->
                checks.add(new PreflightCheck(context.engine().client(), name, path, options.createPaths).begin()));
        return CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new));
    }

    /**
     * Continues with a fresh connection after the previous one has expired; nominated candidates join again. The
     * previous connection is no longer used and must be closed by the application.
     */
    public void reconnect(ZooKeeper fresh) {
        Objects.requireNonNull(fresh);
        if (context.elections().isClosed()) {
            throw new ElectionClosedException("Cannot reconnect: all elections are closed");
        }
        if (sessionManager.ownsSessions()) {
            throw new IllegalStateException("Cannot reconnect: sessions are opened and replaced automatically");
        }
        context.loop().execute(() -> sessionManager.replace(fresh));
    }

    /** Returns the current state of the connection, without a request to ZooKeeper. */
    public ConnectionStatus connection() {
        return context.engine().connection().status();
    }

    /**
     * Hands over all elections at once (reason SHUTDOWN) and ends the threads. What ZooKeeper has not confirmed in time
     * continues in the background until it is confirmed or the session has ended.
     */
    @Override
    public void close() {
        shutdown().await();
    }

    /**
     * Closes all elections as {@link #close()} does, but returns at once. Completes when nothing is left to do, or
     * ZooKeeper does not answer: then no later than two seconds after all work has drained.
     */
    public CompletableFuture<Void> shutDown() {
        return shutdown().begin();
    }

    private synchronized Shutdown shutdown() {
        if (shutdown == null) {
            shutdown = new Shutdown(context, sessionManager, threads, options.patience());
        }
        return shutdown;
    }
}
