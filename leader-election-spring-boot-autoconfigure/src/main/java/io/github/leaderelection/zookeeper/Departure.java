package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.Resignation;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaving an election for good. All callers wait until the same moment, even if they call one after the other. */
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

    /** @param mayWait whether the calling thread may wait: the departure waits for listeners and leader-only work itself */
    Resignation await(boolean mayWait) {
        if (isConfirmed(mayWait)) {
            return new Resignation(Resignation.Outcome.CONFIRMED, Instant.now());
        }
        long sessionTimeout = context.engine().connection().sessionTimeout();
        return new Resignation(Resignation.Outcome.UNCONFIRMED, Instant.now().plusMillis(sessionTimeout));
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
