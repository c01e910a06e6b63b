package io.github.leaderelection.soak;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks a contender whether it leads, about two thousand times a second, and notes the clock before and after each
 * question: the answer was true at some moment between the two.
 */
final class Sampler implements Runnable {

    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(400);
    /** So much of a term's end is not in the history of who is killed. */
    private static final long BETWEEN_LINES = TimeUnit.MILLISECONDS.toNanos(2);

    private final Contender contender;
    private final HistoryWriter history;
    private boolean led;
    private long term;
    private long before;
    private long after;
    private long written;

    Sampler(Contender contender, HistoryWriter history) {
        this.contender = contender;
        this.history = history;
    }

    @Override
    public void run() {
        while (true) {
            long asked = System.nanoTime();
            boolean leads = contender.isLeader();
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
            LockSupport.parkNanos(PAUSE);
        }
    }

    private void yes(long asked, long answered) {
        // It may be over since the answer: then its number is not known, unless it was before.
        Optional<Contender.Term> current = contender.term();
        long number = current.map(Contender.Term::number).orElse(led ? term : 0);
        if (!led) {
            if (before != 0) {
                history.leadsNot(before, after);
            }
            history.leads(
                    asked, answered, number, current.map(Contender.Term::token).orElse(0L));
            written = answered;
        } else if (number != term) {
            history.still(before, after);
            history.leads(
                    asked, answered, number, current.map(Contender.Term::token).orElse(0L));
            written = answered;
        } else if (answered - written > BETWEEN_LINES) {
            history.still(asked, answered);
            written = answered;
        }
        term = number;
    }
}
