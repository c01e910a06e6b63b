package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.support.ElectionRegistry;
import io.github.leaderelection.support.Listeners;
import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.client.ZooKeeperAsyncClient;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.engine.ConnectionState;
import io.github.leaderelection.zookeeper.engine.Engine;
import io.github.leaderelection.zookeeper.engine.EngineThreads;
import io.github.leaderelection.zookeeper.engine.Heartbeat;
import io.github.leaderelection.zookeeper.engine.LogRateLimiter;
import io.github.leaderelection.zookeeper.engine.Loop;
import io.github.leaderelection.zookeeper.engine.PreflightCheck;
import io.github.leaderelection.zookeeper.engine.RequestThrottle;
import io.github.leaderelection.zookeeper.engine.SessionManager;
import io.github.leaderelection.zookeeper.engine.Timers;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Protocol;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elections over one connection to ZooKeeper, any number of them. Two instances over the same connection are two
 * candidates.
 */
public final class ZooKeeperElections implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ZooKeeperElections.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ElectionOptions options;
    private final Clock clock;
    private final Loop loop = new Loop();
    private final EngineThreads threads = new EngineThreads();
    private final Timers timers;
    private final ConnectionGate connectionGate;
    private final LogRateLimiter rateLimiter;
    private final Engine engine;
    private final SessionManager sessionManager;
    private final boolean ownsSessions;
    private final ElectionRegistry<ZooKeeperElection> elections = new ElectionRegistry<>();
    private final EngineContext context;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private boolean stopping;
    private volatile long closeBy;

    private ZooKeeperElections(
            @Nullable ZooKeeper client, @Nullable ZooKeeperSessions sessions, ElectionOptions options, Clock clock) {
        this.options = options;
        this.clock = clock;
        this.ownsSessions = sessions != null;
        this.timers = threads.timers(loop, clock);
        this.connectionGate = new ConnectionGate(options.connectionTimeout());
        this.rateLimiter = new LogRateLimiter(clock);
        ZooKeeperAsyncClient asyncClient = new ZooKeeperAsyncClient(loop, options.acl());
        this.engine = new Engine(
                new Protocol(),
                asyncClient,
                loop,
                timers,
                clock,
                new Engine.Config(
                        options.root(),
                        options.lease().map(Duration::toMillis).orElse(null),
                        options.recheckInterval().toMillis(),
                        RequestThrottle.MOST_UNDER_WAY),
                ZooKeeperElections::newGuid,
                new ConnectionLog(clock) {
                    @Override
                    public void ready() {
                        usable();
                    }

                    @Override
                    public void refused(ElectionException cause) {
                        unusable(cause);
                    }
                });
        this.context = new EngineContext(options, loop, engine, timers, clock, elections::forget);
        this.sessionManager = new SessionManager(
                engine,
                asyncClient,
                loop,
                threads::startBlocking,
                timers,
                clock,
                sessions == null ? null : sessions::open,
                this::unusable);
        loop.execute(() -> sessionManager.start(client));
    }

    /** Random enough to be unique, and short: it is part of the name of every node, of which a list must hold many. */
    private static String newGuid() {
        return new BigInteger(96, RANDOM).toString(Character.MAX_RADIX);
    }

    /** Elections over the application's connection, which is used and never closed. */
    public static ZooKeeperElections over(ZooKeeper zooKeeper) {
        return over(zooKeeper, ElectionOptions.defaults());
    }

    /** Elections over the application's connection, which is used and never closed. */
    public static ZooKeeperElections over(ZooKeeper zooKeeper, ElectionOptions options) {
        return new ZooKeeperElections(Objects.requireNonNull(zooKeeper), null, options, Clock.SYSTEM);
    }

    /** Elections over sessions that are opened, replaced after expiry, and closed as needed. */
    public static ZooKeeperElections over(ZooKeeperSessions sessions, ElectionOptions options) {
        return new ZooKeeperElections(null, Objects.requireNonNull(sessions), options, Clock.SYSTEM);
    }

    static ZooKeeperElections over(ZooKeeper zooKeeper, ElectionOptions options, Clock clock) {
        return new ZooKeeperElections(zooKeeper, null, options, clock);
    }

    /**
     * The election of that name: the same object while it is open, a new one once it was closed.
     *
     * @throws IllegalArgumentException if the path is no ZooKeeper path, the name is blank or no single line, or it is
     *     taken by an election at another path
     * @throws ElectionConnectionException if there has been no usable connection yet (unless {@code failFast(false)})
     * @throws ElectionNotFoundException if there is no such node, and it is not to be created (unless {@code failFast(false)})
     */
    public Election election(String name, String path) {
        return election(name, path, options.observe());
    }

    /**
     * The election of that name, as {@link #election(String, String)}.
     *
     * @param observe whether listeners are told who leads, if it is opened by this call
     */
    public Election election(String name, String path, boolean observe) {
        PathUtils.validatePath(path);
        if (name.isBlank() || !OneLine.isReadable(name)) {
            throw new IllegalArgumentException(
                    "The name of an election must be one readable line, but is '%s'".formatted(OneLine.of(name)));
        }
        String beats = Heartbeat.parent(options.root());
        if (path.equals("/") || path.equals(beats) || path.startsWith(beats + "/")) {
            throw new IllegalArgumentException(
                    "An election needs a node of its own, such as /elections/orders, but is to be at " + path);
        }
        ZooKeeperElection known = elections.find(name, path);
        if (known != null) {
            return known;
        }
        if (options.failFast()) {
            connectionGate.await();
            validateLease();
            if (!options.createPaths()) {
                rehearse(Map.of(name, path));
            }
        }
        return open(name, path, observe);
    }

    private Election open(String name, String path, boolean observe) {
        var config =
                new ElectionState.Config(name, path, options.createPaths(), options.candidateId(), options.metadata());
        try {
            return CompletableFuture.supplyAsync(() -> knownOrNew(config, observe), loop)
                    .join();
        } catch (CompletionException refused) {
            throw refused.getCause() instanceof RuntimeException cause ? cause : refused;
        }
    }

    /** On the loop. Another thread may have been faster, or have closed all this. */
    private Election knownOrNew(ElectionState.Config config, boolean observe) {
        return elections.open(config.name(), config.path(), earlier -> {
            var listeners = new Listeners(config.name(), threads.listeners());
            return new ZooKeeperElection(config, observe, listeners, context);
        });
    }

    private void validateLease() {
        long timeout = engine.connection().sessionTimeout();
        options.lease().filter(lease -> lease.toMillis() >= timeout).ifPresent(lease -> {
            throw new IllegalArgumentException(
                    "The lease (%s) must be shorter than the session timeout that the server granted (%s)"
                            .formatted(lease, Duration.ofMillis(timeout)));
        });
    }

    /**
     * Makes sure that the given elections could be joined: whatever ZooKeeper would refuse, it says so now. Nothing is
     * changed.
     *
     * @param paths the elections' paths by their names
     * @throws ElectionConnectionException if there is no usable connection
     * @throws ElectionNotFoundException if there is no such node, and it is not to be created
     * @throws ElectionException if nodes may not be made there
     */
    public void rehearse(Map<String, String> paths) {
        connectionGate.await();
        validateLease();
        connectionGate.await(
                CompletableFuture.supplyAsync(() -> beginPreflight(paths), loop).thenCompose(Function.identity()),
                "ZooKeeper did not tell within %s whether the elections can be joined");
    }

    private CompletableFuture<Void> beginPreflight(Map<String, String> paths) {
        return CompletableFuture.allOf(paths.entrySet().stream()
                .map(entry -> new PreflightCheck(
                                engine.client(), entry.getKey(), entry.getValue(), options.createPaths())
                        .begin())
                .toArray(CompletableFuture[]::new));
    }

    /**
     * Goes on with a fresh connection after the last one's expiry; those that were nominated nominate again. Close the last
     * one, should it still be open: nothing of ours is left on it, but nobody uses it any more.
     */
    public void reconnect(ZooKeeper fresh) {
        Objects.requireNonNull(fresh);
        elections.requireOpen("go on with a fresh connection");
        if (ownsSessions) {
            throw new IllegalStateException("Sessions are opened as needed here; there is nothing to reconnect");
        }
        loop.execute(() -> sessionManager.replace(fresh));
    }

    /** How the connection is now; asks nobody. */
    public ConnectionStatus connection() {
        ConnectionState connectionState = engine.connection();
        boolean connected = connectionState.isUp();
        long session = connectionState.session();
        long timeout = connectionState.sessionTimeout();
        return new ConnectionStatus(
                connected ? ConnectionStatus.State.CONNECTED : ConnectionStatus.State.DISCONNECTED,
                session == 0 ? null : session,
                timeout == 0 ? null : Duration.ofMillis(timeout),
                Duration.ofMillis(connectionState.lease()),
                connected ? Duration.ZERO : Duration.ofMillis(connectionState.downMillis()));
    }

    private void usable() {
        engine.connection().trouble(null);
        rateLimiter.forget();
        connectionGate.ready();
    }

    /** Comes again with each attempt, which may be every second. */
    private void unusable(ElectionException cause) {
        connectionGate.refused(cause);
        String message = String.valueOf(cause.getMessage());
        engine.connection().trouble(message);
        if (rateLimiter.isDue(message)) {
            log.warn("{}", message);
            elections.all().forEach(election -> election.connectionFailed(cause));
        }
    }

    /** Begins to close, as {@link #close()} does, and returns at once; completes when nothing is left to do. */
    public CompletableFuture<Void> shutDown() {
        if (beginToClose()) {
            leaveAll();
        }
        return stopped.copy();
    }

    private synchronized boolean beginToClose() {
        boolean begins = elections.close();
        if (begins) {
            closeBy = clock.nanosAfter(patience());
        }
        return begins;
    }

    /** How long closing takes at most. */
    private Duration patience() {
        return options.connectionTimeout().plus(options.drainTimeout());
    }

    /**
     * Hands over all elections at once (reason SHUTDOWN), and ends the threads. What ZooKeeper could not confirm in time
     * goes on in the background, until it is sure or the session has ended.
     */
    @Override
    public void close() {
        boolean calledFromWithin = elections.all().stream().anyMatch(ZooKeeperElection::callsFromWithin);
        shutDown();
        if (calledFromWithin) {
            // A listener or leader-only work would wait for itself.
            return;
        }
        try {
            stopped.get(closeBy - clock.nanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException unconfirmed) {
            if (ownsSessions) {
                // The server ends the session, and with it all nodes, as soon as it learns of it or its time is over.
                loop.execute(this::stop);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void leaveAll() {
        CompletableFuture<?>[] departures = elections.all().stream()
                .map(election -> election.leaveForGood(RevocationReason.SHUTDOWN))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(departures).whenComplete((done, failure) -> loop.execute(this::stop));
    }

    /** On the loop; when all have left, or the time for that is over, whichever comes first. */
    private void stop() {
        if (stopping) {
            return;
        }
        stopping = true;
        ZooKeeper ours = sessionManager.close();
        if (ours != null && !elections.all().isEmpty()) {
            // They can do no more about their nodes, which go with the session; whoever waits for them is told.
            engine.expired();
        }
        engine.close(() -> {
            if (ours == null) {
                stopped();
            } else {
                threads.startBlocking(() -> {
                    SessionManager.close(ours);
                    stopped();
                });
            }
        });
    }

    private void stopped() {
        threads.stop();
        stopped.complete(null);
    }
}
