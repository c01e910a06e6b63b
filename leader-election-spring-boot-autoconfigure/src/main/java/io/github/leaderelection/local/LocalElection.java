package io.github.leaderelection.local;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.RevocationReason;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** An election that is won by whoever asks first: there is only one to ask. */
final class LocalElection extends InProcessElection {

    private static final long SHORTEST_PAUSE = 250;
    private static final int MOST_DOUBLINGS = 7;

    private final CompletableFuture<Instant> vacant;
    private final CompletableFuture<Instant> vacated = new CompletableFuture<>();
    private final Consumer<LocalElection> whenClosed;

    /** @param vacant completes when nothing of an earlier election of this name is running any more */
    LocalElection(
            String name,
            String path,
            LocalSettings settings,
            CompletableFuture<Instant> vacant,
            Consumer<LocalElection> whenClosed) {
        super(name, path, settings);
        this.vacant = vacant;
        this.whenClosed = whenClosed;
    }

    @Override
    protected void joined(Candidate self, int failures) {
        if (failures == 0) {
            var unused = vacant.thenRun(() -> lead(self));
        } else {
            // A listener that fails would fail again at once.
            long pause = SHORTEST_PAUSE << Math.min(failures - 1, MOST_DOUBLINGS);
            leadLater(self, Duration.ofMillis(pause));
        }
    }

    @Override
    protected void closed() {
        // The name is free when an earlier election has drained as well.
        var unused = vacant.thenRun(() -> {
            vacated.complete(Instant.now());
            whenClosed.accept(this);
        });
    }

    CompletableFuture<Instant> vacated() {
        return vacated;
    }

    CompletableFuture<Instant> shutDown() {
        return leaveForGood(RevocationReason.SHUTDOWN);
    }

    boolean mayBeAwaited() {
        return mayWait();
    }
}
