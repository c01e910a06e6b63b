package io.github.leaderelection.soak;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks an election about two thousand times a second whether it leads, and records the clock before and after each
 * question: the answer was true at some moment between the two.
 */
final class Sampler implements Runnable {

    private static final long INTERVAL = TimeUnit.MICROSECONDS.toNanos(400);
    /** How much of a term's end may be missing in the history of a candidate that is killed. */
    private static final long BETWEEN_LINES = TimeUnit.MILLISECONDS.toNanos(2);

    private final SoakElection election;
    private final HistoryWriter history;
    private boolean led;
    private long term;
    private long before;
    private long after;
    private long written;

    Sampler(SoakElection election, HistoryWriter history) {
        this.election = election;
        this.history = history;
    }

    @Override
    public void run() {
        while (true) {
            long asked = System.nanoTime();
            boolean leads = election.isLeader();
            long answered = System.nanoTime();
            if (leads) {
                yes(asked, answered);
            } else if (led) {
                history.still(before, after);
                history.leadsNot(asked, answered);
            }
            led = leads;
            before = asked;
            after = answered;
            LockSupport.parkNanos(INTERVAL);
        }
    }

    private void yes(long asked, long answered) {
        // The term may have ended since the answer. Then its number is unknown, unless it was known before.
        Optional<SoakElection.Term> current = election.term();
        long number = current.map(SoakElection.Term::number).orElse(led ? term : 0);
        if (!led) {
            if (before != 0) {
                history.leadsNot(before, after);
            }
            history.leads(
                    asked,
                    answered,
                    number,
                    current.map(SoakElection.Term::token).orElse(0L));
            written = answered;
        } else if (number != term) {
            history.still(before, after);
            history.leads(
                    asked,
                    answered,
                    number,
                    current.map(SoakElection.Term::token).orElse(0L));
            written = answered;
        } else if (answered - written > BETWEEN_LINES) {
            history.still(asked, answered);
            written = answered;
        }
        term = number;
    }
}
