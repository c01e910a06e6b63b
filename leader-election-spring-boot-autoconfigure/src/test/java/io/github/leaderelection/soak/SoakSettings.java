package io.github.leaderelection.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How a run is to be.
 *
 * @param slack what a fail-over may take on top of session timeout and lease
 * @param naive whether the naive election takes part in place of the product; it gets what is known to hurt it
 */
record SoakSettings(long seed, Duration length, Duration slack, boolean naive, Path directory) {

    static final int CANDIDATES = 5;
    private static final List<FaultKind> FATAL_TO_THE_NAIVE =
            List.of(FaultKind.CANDIDATE_PAUSED, FaultKind.NODE_DELETED);

    Duration session() {
        return Duration.ofSeconds(3);
    }

    /** The product's default: a third of the session timeout. */
    Duration lease() {
        return session().dividedBy(3);
    }

    /** For so long there may be no leader on a healthy ensemble. */
    Duration bound() {
        return session().plus(lease()).plus(slack);
    }

    /** The calm that follows a fault, or a wave of them: somebody is to lead before it is over. */
    Duration recovery() {
        return session().plus(lease()).plusMillis(2_500);
    }

    FaultPlan plan() {
        return naive
                ? FaultPlan.of(seed, FATAL_TO_THE_NAIVE, length, session(), Duration.ofSeconds(1))
                : FaultPlan.of(seed, List.of(FaultKind.values()), length, session(), recovery());
    }
}
