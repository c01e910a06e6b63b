package io.github.leaderelection.local;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.support.ElectionRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Elections inside this process, without ZooKeeper: whoever is nominated leads at once. For development and tests;
 * they know nothing of other processes, and protect nothing from them.
 *
 * <p>Everything else is as with ZooKeeper: terms, growing fencing tokens, listeners on threads of their own, draining.
 * Only {@link io.github.leaderelection.Leadership#guard()} is not supported.
 */
public final class LocalElections implements AutoCloseable {

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

    private final ExecutorService executor;
    private final LocalSettings settings;
    private final ElectionRegistry<LocalElection> elections = new ElectionRegistry<>();

    private LocalElections(Supplier<String> candidateId, Map<String, String> metadata, Duration drainTimeout) {
        this.executor = deliverers();
        this.settings = new LocalSettings(candidateId, metadata, drainTimeout, false, executor);
    }

    /** Elections in which this process takes part under the given id, with a drain timeout of 10 seconds. */
    public static LocalElections create(String candidateId, Map<String, String> metadata) {
        return create(candidateId, metadata, DRAIN_TIMEOUT);
    }

    /**
     * Elections in which this process takes part under the given id.
     *
     * @param drainTimeout how long leader-only work and listeners may delay a hand-over
     */
    public static LocalElections create(String candidateId, Map<String, String> metadata, Duration drainTimeout) {
        return create(() -> candidateId, metadata, drainTimeout);
    }

    /**
     * Elections in which this process takes part under an id that may become known only when it is nominated.
     *
     * @param drainTimeout how long leader-only work and listeners may delay a hand-over
     */
    public static LocalElections create(
            Supplier<String> candidateId, Map<String, String> metadata, Duration drainTimeout) {
        return new LocalElections(candidateId, metadata, drainTimeout);
    }

    /**
     * The election of that name: the same object as long as it is open, a new one once it was closed.
     *
     * @throws IllegalArgumentException if it is open with another path
     * @throws ElectionClosedException if this object was closed
     */
    public Election election(String name, String path) {
        return election(name, path, false);
    }

    /**
     * The election of that name, as {@link #election(String, String)}.
     *
     * @param observe whether listeners are told who leads, if it is opened by this call
     */
    public Election election(String name, String path, boolean observe) {
        return elections.open(name, path, earlier -> {
            CompletableFuture<Instant> vacant =
                    earlier == null ? CompletableFuture.completedFuture(Instant.now()) : earlier.vacated();
            return new LocalElection(name, path, settings.observe(observe), vacant, elections::forget);
        });
    }

    /** Closes all elections at once, with the reason SHUTDOWN, and returns when they have drained. */
    @Override
    public void close() {
        boolean mayWait = elections.all().stream().allMatch(LocalElection::mayBeAwaited);
        CompletableFuture<Void> done = shutDown();
        if (mayWait) {
            done.join();
        }
    }

    /** Begins to close, as {@link #close()} does, and returns at once; completes when all have drained. */
    public CompletableFuture<Void> shutDown() {
        elections.close();
        var departures = elections.all().stream().map(LocalElection::shutDown).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(departures).thenRun(executor::shutdown);
    }

    /** As many threads as there are elections with something to deliver at a time: each may be blocked. */
    private static ExecutorService deliverers() {
        var count = new AtomicInteger();
        ThreadFactory daemons = task -> {
            var thread = new Thread(task, "election-local-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
        // What is told while the pool is being shut down is delivered all the same.
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                daemons,
                (task, pool) -> daemons.newThread(task).start());
    }
}
