package io.github.leaderelection.lifecycle;

import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ElectionMonitor;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.support.MisconfigurationException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nominates this application in all of its elections, and withdraws it from all of them. It is not nominated again in
 * an election from which it was withdrawn separately, such as by an operator.
 */
final class NominationCoordinator {

    private static final Logger log = LoggerFactory.getLogger(NominationCoordinator.class);

    private final Set<ManagedElection> pending = new LinkedHashSet<>();
    /** Elections that were left temporarily, and in which the application is not nominated in the meantime. */
    private final Set<ManagedElection> suspended = new LinkedHashSet<>();

    private boolean active;
    private boolean joined;

    /**
     * Adds an election.
     *
     * @param participate whether to nominate the application; otherwise other code may still nominate it
     */
    void add(ManagedElection election, boolean participate) {
        election.addMonitor(new ElectionMonitor() {
            @Override
            public void withdrawn() {
                removePending(election);
            }

            @Override
            public void awaitedWithoutNomination() {
                requireJoined(election);
            }
        });
        if (participate) {
            nominateOrAddPending(election);
        }
    }

    private synchronized void removePending(ManagedElection election) {
        pending.remove(election);
        suspended.remove(election);
    }

    /** Leaves one election until it is resumed. */
    synchronized void suspend(ManagedElection election, RevocationReason reason) {
        if (active && isCandidate(election)) {
            suspended.add(election);
            var unused = election.withdraw(reason);
        }
    }

    /** Rejoins a suspended election, unless this application was withdrawn from it in the meantime. */
    synchronized void resume(ManagedElection election) {
        if (suspended.remove(election)) {
            nominateOrAddPending(election);
        }
    }

    private synchronized void requireJoined(ManagedElection election) {
        if (!joined && pending.contains(election)) {
            var mistake = new MisconfigurationException(
                    "This application has not joined election '%s' yet, and would wait for leadership in vain: it joins its elections when it is ready (ApplicationReadyEvent)."
                            .formatted(election.name()),
                    "Call awaitLeadership after that, or do the work when leadership is granted, in a listener of OnGrantedEvent.");
            // The failure analysis reports the cause if this fails the startup.
            throw new IllegalStateException(mistake.getMessage(), mistake);
        }
    }

    private synchronized void nominateOrAddPending(ManagedElection election) {
        if (active) {
            nominate(election);
        } else {
            pending.add(election);
        }
    }

    synchronized void nominateAll() {
        active = true;
        joined = true;
        pending.forEach(NominationCoordinator::nominate);
        pending.clear();
    }

    private static void nominate(ManagedElection election) {
        try {
            election.nominate();
        } catch (ElectionClosedException closed) {
            log.debug("{}", closed.getMessage());
        }
    }

    /** Completes when all elections have been handed over, including those that were being left already. */
    synchronized CompletableFuture<?> withdrawAll(List<ManagedElection> elections, RevocationReason reason) {
        active = false;
        elections.stream().filter(NominationCoordinator::isCandidate).forEach(pending::add);
        return CompletableFuture.allOf(
                elections.stream().map(election -> election.withdraw(reason)).toArray(CompletableFuture[]::new));
    }

    private static boolean isCandidate(ManagedElection election) {
        return election.role() != Role.OBSERVER && election.role() != Role.CLOSED;
    }
}
