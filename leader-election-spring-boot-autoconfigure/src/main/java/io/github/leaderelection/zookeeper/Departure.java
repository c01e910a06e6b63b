package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.Resignation;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A final departure from an election. All callers share one deadline, no matter when they call. */
final class Departure {

    private static final Logger log = LoggerFactory.getLogger(Departure.class);

    private final Election election;
    private final EngineContext context;
    private final CompletableFuture<Boolean> gone = new CompletableFuture<>();
    private final long deadline;

    Departure(Election election, EngineContext context) {
        this.election = election;
        this.context = context;
        this.deadline = context.clock().nanosAfter(context.options().patience());
    }

    /** Completes with whether the node is known to be gone. */
    CompletableFuture<Boolean> gone() {
        return gone;
    }

    /** @param mayWait false for a listener or leader-only work, for which the departure itself waits */
    Resignation await(boolean mayWait) {
        if (isConfirmed(mayWait)) {
            return new Resignation(Resignation.Outcome.CONFIRMED, Instant.now());
        }
        long sessionTimeout = context.engine().connection().sessionTimeout();
        return new Resignation(Resignation.Outcome.UNCONFIRMED, Instant.now().plusMillis(sessionTimeout));
    }

    /** Waits as {@link #await} does, but an interrupt ends the wait without an exception. */
    void awaitQuietly(boolean mayWait) {
        try {
            await(mayWait);
        } catch (ElectionException interrupted) {
            log.debug("{}", interrupted.getMessage());
        }
    }

    private boolean isConfirmed(boolean mayWait) {
        long timeLeft = deadline - context.clock().nanos();
        if (!gone.isDone() && (!mayWait || timeLeft <= 0)) {
            return false;
        }
        try {
            return EngineContext.await(gone, Duration.ofNanos(timeLeft), "Resigning from", election);
        } catch (ElectionConnectionException late) {
            if (Thread.currentThread().isInterrupted()) {
                throw late;
            }
            log.warn(
                    "Resigning from election '{}' was not confirmed by ZooKeeper within {}. Its node disappears when"
                            + " the session ends",
                    election.name(),
                    context.options().patience());
            return false;
        }
    }
}
