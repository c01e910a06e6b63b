package io.github.leaderelection.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The settings of a run.
 *
 * @param failOver when a fail-over is possible
 * @param slack how much longer it may take
 * @param naive whether the naive election is tested, with the faults that are known to break it
 */
record SoakSettings(long seed, Duration length, FailOver failOver, Duration slack, boolean naive, Path directory) {

    static final int CANDIDATES = 5;
    /** Requests that the library does not support yet. */
    private static final Set<FaultKind> UNSUPPORTED = EnumSet.of(FaultKind.HAND_OVER_TO);

    private static final List<FaultKind> HARMFUL_TO_NAIVE = List.of(FaultKind.CANDIDATE_PAUSED, FaultKind.NODE_DELETED);

    Duration session() {
        return Duration.ofSeconds(3);
    }

    /** The default of the library: a third of the session timeout. */
    Duration lease() {
        return session().dividedBy(3);
    }

    /** When the next candidate can lead after a crash. */
    enum FailOver {
        /** When the session has ended. */
        AT_SESSION_END {
            @Override
            Duration after(Duration session, Duration lease) {
                return session.plus(lease);
            }
        },
        /** When the lease has ended, by the slowest clock. */
        AT_LEASE_END {
            @Override
            Duration after(Duration session, Duration lease) {
                return lease.multipliedBy(11).dividedBy(10);
            }
        };

        abstract Duration after(Duration session, Duration lease);
    }

    /** How long a healthy ensemble may be without a leader. */
    Duration bound() {
        return failOver.after(session(), lease()).plus(slack);
    }

    /** The pause after a fault or a wave of faults, in which a candidate should lead again. */
    Duration recovery() {
        return session().plus(lease()).plusMillis(2_500);
    }

    private static List<FaultKind> supported() {
        return EnumSet.complementOf(EnumSet.copyOf(UNSUPPORTED)).stream().toList();
    }

    FaultPlan plan() {
        return naive
                ? FaultPlan.of(seed, HARMFUL_TO_NAIVE, length, session(), Duration.ofSeconds(1))
                : FaultPlan.of(seed, supported(), length, session(), recovery());
    }
}
