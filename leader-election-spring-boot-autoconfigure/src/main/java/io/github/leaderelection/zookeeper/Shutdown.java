package io.github.leaderelection.zookeeper;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.ElectionRegistry;
import io.github.leaderelection.zookeeper.engine.EngineThreads;
import io.github.leaderelection.zookeeper.engine.SessionManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.ZooKeeper;

/** Leaves all elections of a connection, then gives up the session if it is ours, then ends the threads. */
final class Shutdown {

    private final EngineContext context;
    private final ElectionRegistry<ZooKeeperElection> elections;
    private final SessionManager sessionManager;
    private final EngineThreads threads;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private boolean stopping;
    private volatile long deadline;

    Shutdown(
            EngineContext context,
            ElectionRegistry<ZooKeeperElection> elections,
            SessionManager sessionManager,
            EngineThreads threads) {
        this.context = context;
        this.elections = elections;
        this.sessionManager = sessionManager;
        this.threads = threads;
    }

    /** Begins if it has not begun, and waits; not for a caller that it would have to wait for itself. */
    void await() {
        // A listener or leader-only work would wait for itself.
        boolean mayWait = true;
        for (ZooKeeperElection election : elections.all()) {
            mayWait &= election.mayBeAwaited();
        }
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

    /** Begins if it has not begun; completes when nothing is left to do. */
    CompletableFuture<Void> begin() {
        if (beginsNow()) {
            List<CompletableFuture<Boolean>> departures = new ArrayList<>();
            for (ZooKeeperElection election : elections.all()) {
                departures.add(election.leaveForGood(RevocationReason.SHUTDOWN));
            }
            CompletableFuture.allOf(departures.toArray(CompletableFuture[]::new))
                    .whenComplete((done, failure) -> context.loop().execute(this::stop));
        }
        return stopped.copy();
    }

    private synchronized boolean beginsNow() {
        boolean begins = elections.close();
        if (begins) {
            deadline = context.clock().nanosAfter(patience());
        }
        return begins;
    }

    /** Elections are left in parallel, so the one with the longest drain timeout decides. */
    private Duration patience() {
        Duration longest = context.options().patience();
        for (ZooKeeperElection election : elections.all()) {
            longest = election.patience().compareTo(longest) > 0 ? election.patience() : longest;
        }
        return longest;
    }

    /** On the loop: when all elections have left, or when the time is up, whichever comes first. */
    private void stop() {
        if (stopping) {
            return;
        }
        stopping = true;
        ZooKeeper ours = sessionManager.close();
        if (ours != null && !elections.all().isEmpty()) {
            // The rest of their nodes goes with the session; their callers need not wait any longer.
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
                    // There was never a session that could be ended, and the client may take long to find that out.
                    stopped.complete(null);
                }
            }
        });
    }

    private void stopped() {
        threads.stop();
        stopped.complete(null);
    }
}
