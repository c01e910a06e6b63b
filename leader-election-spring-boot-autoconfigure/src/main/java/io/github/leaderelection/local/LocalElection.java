package io.github.leaderelection.local;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.DelayedTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** An in-process election whose candidate leads as soon as it is nominated. */
final class LocalElection extends InProcessElection {

    private static final long SHORTEST_PAUSE = 250;
    private static final int MOST_DOUBLINGS = 7;

    private final CompletableFuture<Instant> predecessorGone;
    private final CompletableFuture<Instant> gone = new CompletableFuture<>();
    private final Consumer<LocalElection> onGone;

    /**
     * @param predecessorGone completes when earlier elections of this name have left
     * @param onGone called when this election has left as well
     */
    LocalElection(
            String name,
            String path,
            LocalSettings settings,
            CompletableFuture<Instant> predecessorGone,
            Consumer<LocalElection> onGone) {
        super(name, path, settings);
        this.predecessorGone = predecessorGone;
        this.onGone = onGone;
    }

    @Override
    protected void joined(Candidate self, int failures) {
        if (failures == 0) {
            predecessorGone.thenRun(() -> leadWhenHeard(self));
        } else {
            // Without a pause the listener would fail again at once.
            long pause = SHORTEST_PAUSE << Math.min(failures - 1, MOST_DOUBLINGS);
            DelayedTasks.run(Duration.ofMillis(pause), () -> leadWhenHeard(self));
        }
    }

    /** A listener may still be working for the last term. */
    private void leadWhenHeard(Candidate self) {
        publisher().whenHeard(() -> lead(self));
    }

    @Override
    protected void closed() {
        // If this election never led, an earlier election of its name may still be draining.
        predecessorGone.thenRun(() -> {
            gone.complete(Instant.now());
            onGone.accept(this);
        });
    }

    /** Completes when this election and earlier elections of its name have left. */
    CompletableFuture<Instant> gone() {
        return gone;
    }

    CompletableFuture<Instant> shutDown() {
        return leaveForGood(RevocationReason.SHUTDOWN);
    }

    /** Whether the calling thread may wait until this election has left. */
    boolean mayBeAwaited() {
        return !callsFromWithin();
    }
}
