package io.github.leaderelection.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a run.
 *
 * @param slack how much longer a fail-over may take than the lease
 * @param naive whether the naive election is tested, with the faults that are known to break it
 */
record SoakSettings(long seed, Duration length, Duration slack, boolean naive, Path directory) {

    static final int CANDIDATES = 5;
    private static final List<FaultKind> HARMFUL_TO_NAIVE = List.of(FaultKind.CANDIDATE_PAUSED, FaultKind.NODE_DELETED);

    Duration session() {
        return Duration.ofSeconds(3);
    }

    /** The default of the library: a third of the session timeout. */
    Duration lease() {
        return session().dividedBy(3);
    }

    /** How long a healthy ensemble may be without a leader: until the lease has ended, by the slowest clock. */
    Duration bound() {
        return lease().multipliedBy(11).dividedBy(10).plus(slack);
    }

    /** The pause after a fault or a wave of faults, in which a candidate should lead again. */
    Duration recovery() {
        return session().plus(lease()).plusMillis(2_500);
    }

    FaultPlan plan() {
        return naive
                ? FaultPlan.of(seed, HARMFUL_TO_NAIVE, length, session(), Duration.ofSeconds(1))
                : FaultPlan.of(seed, List.of(FaultKind.values()), length, session(), recovery());
    }
}
