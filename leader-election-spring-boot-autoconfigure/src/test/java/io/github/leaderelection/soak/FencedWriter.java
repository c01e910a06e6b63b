package io.github.leaderelection.soak;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes to a resource like a careless leader, which goes on for some seconds after its term has ended. The resource has
 * to refuse that.
 */
final class FencedWriter implements Runnable {

    private static final long INTERVAL = Duration.ofMillis(100).toNanos();
    private static final long WRITES_ON_FOR = Duration.ofSeconds(4).toNanos();

    /** Tries to write once. */
    interface Fence {
        WriteOutcome write(SoakElection.Term term);
    }

    private final FencedResource resource;
    private final SoakElection election;
    private final HistoryWriter history;
    private final Fence fence;
    private long ledLast;

    FencedWriter(FencedResource resource, SoakElection election, HistoryWriter history, Fence fence) {
        this.resource = resource;
        this.election = election;
        this.history = history;
        this.fence = fence;
        this.ledLast = System.nanoTime() - WRITES_ON_FOR;
    }

    @Override
    public void run() {
        while (true) {
            Optional<SoakElection.Term> term = election.lastTerm();
            boolean valid = term.isPresent() && term.get().valid().getAsBoolean();
            if (valid) {
                ledLast = System.nanoTime();
            }
            if (term.isPresent() && System.nanoTime() - ledLast < WRITES_ON_FOR) {
                WriteOutcome outcome = fence.write(term.get());
                boolean stillValid = valid && term.get().valid().getAsBoolean();
                history.write(resource, outcome, term.get().token(), stillValid);
            }
            LockSupport.parkNanos(INTERVAL);
        }
    }
}
