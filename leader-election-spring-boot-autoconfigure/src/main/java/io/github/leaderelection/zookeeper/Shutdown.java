package io.github.leaderelection.zookeeper;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.engine.EngineThreads;
import io.github.leaderelection.zookeeper.engine.SessionManager;
import io.github.leaderelection.zookeeper.engine.ShutdownWatch;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.ZooKeeper;

/** Leaves all elections of a connection, then gives up the session if it is ours, then ends the threads. */
final class Shutdown {

    private final EngineContext context;
    private final SessionManager sessionManager;
    private final EngineThreads threads;
    private final ShutdownWatch watch;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final Duration patience;
    private volatile long deadline;
    private boolean stopping;

    /** @param patience how long {@link #await} waits, unless an election has a longer drain timeout of its own */
    Shutdown(EngineContext context, SessionManager sessionManager, EngineThreads threads, Duration patience) {
        this.patience = patience;
        this.context = context;
        this.sessionManager = sessionManager;
        this.threads = threads;
        this.watch = new ShutdownWatch(context.engine(), this::giveUp);
    }

    /** Begins if it has not begun, and waits, unless the shutdown itself waits for the caller. */
    void await() {
        // A listener or leader-only work would wait for itself.
        boolean mayWait = context.elections().all().stream().allMatch(ZooKeeperElection::mayBeAwaited);
        begin();
        if (!mayWait) {
            return;
        }
        try {
            stopped.get(deadline - context.clock().nanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException unconfirmed) {
            if (sessionManager.ownsSessions()) {
                // The server ends the session, and deletes its nodes, at once or when the session times out.
                context.loop().execute(this::stop);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Begins if it has not begun; completes when nothing is left to do, or ZooKeeper does not answer. */
    CompletableFuture<Void> begin() {
        if (beginsNow()) {
            context.loop().execute(sessionManager::beginToClose);
            CompletableFuture<?>[] closures = context.elections().all().stream()
                    .map(election -> election.leaveForGood(RevocationReason.SHUTDOWN))
                    .toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(closures)
                    .whenComplete((done, failure) -> context.loop().execute(this::stop));
            context.loop().execute(watch::begin);
        }
        return stopped.copy();
    }

    /** From now on no election is opened. They are left in parallel, so the slowest one decides how long that takes. */
    private synchronized boolean beginsNow() {
        if (!context.elections().close()) {
            return false;
        }
        Duration longest = patience;
        for (ZooKeeperElection election : context.elections().all()) {
            Duration own = election.options.patience();
            longest = own.compareTo(longest) > 0 ? own : longest;
        }
        deadline = context.clock().nanosAfter(longest);
        return true;
    }

    /** On the loop: when all elections have left, or when the time is up, whichever comes first. */
    private void stop() {
        if (stopping) {
            return;
        }
        stopping = true;
        watch.end();
        ZooKeeper ours = sessionManager.close();
        if (ours != null && !context.elections().all().isEmpty()) {
            // Their remaining nodes end with the session, so their callers need not wait any longer.
            context.engine().expired();
        }
        context.engine().close(() -> {
            if (ours == null) {
                stopped();
            } else {
                threads.startBlocking(() -> {
                    SessionManager.close(ours);
                    stopped();
                });
                if (ours.getSessionId() == 0) {
                    // No session was ever established, and the client may take long to notice.
                    stopped.complete(null);
                }
            }
        });
    }

    /** On the loop: ZooKeeper does not answer. On a connection of the application, the rest is done when it does. */
    private void giveUp() {
        if (sessionManager.ownsSessions()) {
            stop();
        } else {
            context.elections().all().forEach(ZooKeeperElection::abandon);
        }
        stopped.complete(null);
    }

    private void stopped() {
        threads.stop();
        stopped.complete(null);
    }
}
