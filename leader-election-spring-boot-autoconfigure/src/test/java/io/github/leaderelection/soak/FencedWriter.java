package io.github.leaderelection.soak;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes to a resource as a careless leader does: it goes on for some seconds after its term has ended. It is for the
 * resource to refuse that.
 */
final class FencedWriter implements Runnable {

    private static final long PAUSE = Duration.ofMillis(100).toNanos();
    private static final long CARELESSNESS = Duration.ofSeconds(4).toNanos();

    /** Tries to write once. */
    interface Fence {
        Outcome write(Contender.Term term);
    }

    private final Resource resource;
    private final Contender contender;
    private final HistoryWriter history;
    private final Fence fence;
    private long ledLast;

    FencedWriter(Resource resource, Contender contender, HistoryWriter history, Fence fence) {
        this.resource = resource;
        this.contender = contender;
        this.history = history;
        this.fence = fence;
        this.ledLast = System.nanoTime() - CARELESSNESS;
    }

    @Override
    public void run() {
        while (true) {
            Optional<Contender.Term> term = contender.lastTerm();
            boolean valid = term.isPresent() && term.get().valid().getAsBoolean();
            if (valid) {
                ledLast = System.nanoTime();
            }
            if (term.isPresent() && System.nanoTime() - ledLast < CARELESSNESS) {
                Outcome outcome = fence.write(term.get());
                boolean stillValid = valid && term.get().valid().getAsBoolean();
                history.write(resource, outcome, term.get().token(), stillValid);
            }
            LockSupport.parkNanos(PAUSE);
        }
    }
}
