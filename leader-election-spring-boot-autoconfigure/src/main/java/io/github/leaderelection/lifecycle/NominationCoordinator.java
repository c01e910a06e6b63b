package io.github.leaderelection.lifecycle;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ElectionMonitor;
import io.github.leaderelection.support.ManagedElection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this application takes part in its elections now. Elections are joined all together and left all together;
 * one that was left otherwise, say by an operator, is not joined again by that.
 */
final class NominationCoordinator {

    private static final Logger log = LoggerFactory.getLogger(NominationCoordinator.class);

    /** To be joined as soon as the application takes part. */
    private final Set<Election> waiting = new LinkedHashSet<>();

    private boolean takesPart;

    /**
     * Has it joined with the others.
     *
     * @param participate whether it is to be; if not, somebody may nominate it nevertheless
     */
    void include(Election election, boolean participate) {
        if (election instanceof ManagedElection managed) {
            managed.addMonitor(new ElectionMonitor() {
                @Override
                public void withdrawn() {
                    exclude(election);
                }
            });
        }
        if (participate) {
            include(election);
        }
    }

    private synchronized void exclude(Election election) {
        waiting.remove(election);
    }

    private synchronized void include(Election election) {
        if (takesPart) {
            nominate(election);
        } else {
            waiting.add(election);
        }
    }

    synchronized void join() {
        takesPart = true;
        waiting.forEach(NominationCoordinator::nominate);
        waiting.clear();
    }

    private static void nominate(Election election) {
        try {
            election.nominate();
        } catch (ElectionClosedException over) {
            log.debug("{}", over.getMessage());
        }
    }

    /** Completes when all of them are handed over, those too that were being left already. */
    synchronized CompletableFuture<?> leave(List<Election> all, RevocationReason reason) {
        takesPart = false;
        all.stream().filter(NominationCoordinator::isCandidate).forEach(waiting::add);
        return CompletableFuture.allOf(
                all.stream().map(election -> withdraw(election, reason)).toArray(CompletableFuture[]::new));
    }

    private static boolean isCandidate(Election election) {
        return election.role() != Role.OBSERVER && election.role() != Role.CLOSED;
    }

    private static CompletableFuture<?> withdraw(Election election, RevocationReason reason) {
        if (election instanceof ManagedElection managed) {
            return managed.withdraw(reason);
        }
        return isCandidate(election)
                ? CompletableFuture.runAsync(election::withdraw)
                : CompletableFuture.completedFuture(null);
    }
}
