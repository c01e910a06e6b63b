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

/**
 * The resignation of this process from an election. All callers share one deadline, no matter when they call.
 *
 * @param gone completes with whether the node is known to be gone
 */
record PendingResignation(
        Election election, EngineContext context, Duration patience, long deadline, CompletableFuture<Boolean> gone) {

    private static final Logger log = LoggerFactory.getLogger(PendingResignation.class);

    PendingResignation(Election election, EngineContext context, Duration patience) {
        this(election, context, patience, context.clock().nanosAfter(patience), new CompletableFuture<>());
    }

    /** @param mayWait false for a listener or leader-only work, for which the resignation itself waits */
    Resignation await(boolean mayWait) {
        long timeLeft = deadline - context.clock().nanos();
        if (mayWait && timeLeft > 0) {
            await(Duration.ofNanos(timeLeft));
        }
        if (gone.getNow(false)) {
            return new Resignation(Resignation.Outcome.CONFIRMED, Instant.now());
        }
        long sessionTimeout = context.engine().connection().sessionTimeout();
        return new Resignation(Resignation.Outcome.UNCONFIRMED, Instant.now().plusMillis(sessionTimeout));
    }

    private void await(Duration timeLeft) {
        try {
            var unused = EngineContext.await(gone, timeLeft, "Resigning from", election);
        } catch (ElectionConnectionException late) {
            if (Thread.currentThread().isInterrupted()) {
                throw late;
            }
            log.warn(
                    "Resigning from election '{}' was not confirmed by ZooKeeper within {}. Its node disappears when"
                            + " the session ends",
                    election.name(),
                    patience);
        }
    }

    /** Waits as {@link #await} does, but an interrupt ends the wait without an exception. */
    void awaitQuietly(boolean mayWait) {
        try {
            await(mayWait);
        } catch (ElectionException interrupted) {
            log.debug("{}", interrupted.getMessage());
        }
    }
}
