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
 * Elections inside this process, without ZooKeeper: a nominated candidate leads at once. For development and tests. They do
 * not know of other processes and do not protect anything from them.
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
        this.executor = listenerThreads();
        this.settings = new LocalSettings(candidateId, metadata, 0, drainTimeout, false, executor);
    }

    /** Creates elections for a candidate with the given id, with a drain timeout of 10 seconds. */
    public static LocalElections create(String candidateId, Map<String, String> metadata) {
        return create(candidateId, metadata, DRAIN_TIMEOUT);
    }

    /**
     * Creates elections for a candidate with the given id.
     *
     * @param drainTimeout how long leader-only work and listeners may delay a hand-over
     */
    public static LocalElections create(String candidateId, Map<String, String> metadata, Duration drainTimeout) {
        return create(() -> candidateId, metadata, drainTimeout);
    }

    /**
     * Creates elections for a candidate whose id may become known only when it is nominated.
     *
     * @param drainTimeout how long leader-only work and listeners may delay a hand-over
     */
    public static LocalElections create(
            Supplier<String> candidateId, Map<String, String> metadata, Duration drainTimeout) {
        return new LocalElections(candidateId, metadata, drainTimeout);
    }

    /**
     * Returns the election of that name: the same object while it is open, a new one after it was closed.
     *
     * @throws IllegalArgumentException if it is open with another path
     * @throws ElectionClosedException if this object was closed
     */
    public Election election(String name, String path) {
        return election(name, path, false);
    }

    /**
     * Returns the election of that name, as {@link #election(String, String)} does.
     *
     * @param observe whether listeners are notified of the leader, if this call opens the election
     */
    public Election election(String name, String path, boolean observe) {
        return election(name, path, observe, settings.drainTimeout(), settings.priority());
    }

    /**
     * Returns the election of that name, as {@link #election(String, String)} does.
     *
     * @param observe whether listeners are notified of the leader, if this call opens the election
     * @param drainTimeout how long leader-only work and listeners may delay a hand-over, if this call opens the election
     * @param priority the priority of the candidate, for display only: there are no other candidates
     */
    public Election election(String name, String path, boolean observe, Duration drainTimeout, int priority) {
        return elections.open(name, path, earlier -> {
            CompletableFuture<Instant> predecessorGone =
                    earlier == null ? CompletableFuture.completedFuture(Instant.now()) : earlier.gone();
            return new LocalElection(
                    name,
                    path,
                    settings.forElection(observe, drainTimeout, priority),
                    predecessorGone,
                    elections::forget);
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

    /** Closes all elections as {@link #close()} does, but returns at once; completes when all have drained. */
    public CompletableFuture<Void> shutDown() {
        elections.close();
        var departures = elections.all().stream().map(LocalElection::shutDown).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(departures).thenRun(executor::shutdown);
    }

    /** Creates a thread for each concurrent delivery, because each of them may block. */
    private static ExecutorService listenerThreads() {
        var count = new AtomicInteger();
        ThreadFactory daemons = task -> {
            var thread = new Thread(task, "election-local-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
        // Events are delivered even after the shutdown.
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
