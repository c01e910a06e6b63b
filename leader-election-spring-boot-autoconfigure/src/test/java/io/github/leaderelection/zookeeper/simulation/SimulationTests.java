package io.github.leaderelection.zookeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.fixture.ReportFile;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The production engine on a simulated ensemble, with random faults. A schedule follows from its seed:
 * {@code -Dsimulation.seed=S} replays one and prints a line for everything that happens;
 * {@code -Dsimulation.schedules=N} changes their number, {@code -Dsimulation.first=S} the first seed.
 */
class SimulationTests {

    private static final long FIRST_SEED = 1_000_000;
    private static final int SCHEDULES = 30_000;
    /** At least one take-over in so many schedules, so that they exercise what they are meant to. */
    private static final int SCHEDULES_PER_TAKE_OVER = 4;

    /** The same for hand-overs that were asked for and are done. */
    private static final int SCHEDULES_PER_HAND_OVER = 8;

    @Test
    @DisplayName("All invariants hold in every schedule (F1-F10, F13-F26, F28-F46, F59-F61, F63-F72)")
    void allInvariantsHoldInEverySchedule() {
        Long seed = Long.getLong("simulation.seed");
        if (seed != null) {
            replay(seed);
            return;
        }
        int schedules = Integer.getInteger("simulation.schedules", SCHEDULES);
        long first = Long.getLong("simulation.first", FIRST_SEED);
        Queue<String> violations = new ConcurrentLinkedQueue<>();
        LongAdder takeOvers = new LongAdder();
        LongAdder handOvers = new LongAdder();
        LongAdder moves = new LongAdder();
        long start = System.nanoTime();
        long steps = LongStream.range(first, first + schedules)
                .parallel()
                .map(each -> run(each, violations, takeOvers, handOvers, moves))
                .sum();
        ReportFile.of("simulation.txt")
                .line("%d schedules, %d steps, %d take-overs, %d hand-overs by request, %d moves, %.1f s"
                        .formatted(
                                schedules,
                                steps,
                                takeOvers.sum(),
                                handOvers.sum(),
                                moves.sum(),
                                (System.nanoTime() - start) / 1e9));
        assertThat(violations)
                .as("violations; replay one with mvn -B test -pl leader-election-spring-boot-autoconfigure"
                        + " -Dtest=SimulationTests -Dsimulation.seed=<seed>")
                .isEmpty();
        assertThat(takeOvers.sum()).as("take-overs").isGreaterThan(schedules / SCHEDULES_PER_TAKE_OVER);
        assertThat(handOvers.sum()).as("hand-overs by request").isGreaterThan(schedules / SCHEDULES_PER_HAND_OVER);
        assertThat(moves.sum()).as("moves").isGreaterThan(schedules / SCHEDULES_PER_HAND_OVER);
    }

    private static long run(
            long seed, Queue<String> violations, LongAdder takeOvers, LongAdder handOvers, LongAdder moves) {
        try {
            Simulation simulation = Simulation.of(seed);
            int steps = simulation.run();
            takeOvers.add(simulation.checker().takeOvers());
            handOvers.add(simulation.succession().done());
            moves.add(simulation.moves().done());
            return steps;
        } catch (RuntimeException | AssertionError violation) {
            violations.add("seed %d (%s): %s".formatted(seed, Simulation.profileOf(seed), violation));
            return 0;
        }
    }

    /** Runs one schedule and prints everything that happens. */
    private static void replay(long seed) {
        int steps = Simulation.of(seed, new SimTrace(System.out)).run();
        assertThat(steps).isPositive();
    }

    @Test
    @DisplayName("A schedule can be replayed: the same seed gives the same steps")
    void sameSeedGivesSameSteps() {
        for (long seed = 1; seed <= 300; seed++) {
            assertThat(Simulation.of(seed).run())
                    .as("seed %d", seed)
                    .isEqualTo(Simulation.of(seed).run());
        }
    }
}
