package io.github.leaderelection.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FaultPlanTests {

    private static final Duration SESSION = Duration.ofSeconds(3);
    private static final Duration RECOVERY = Duration.ofSeconds(6);

    private static FaultPlan plan(long seed, Duration length) {
        return FaultPlan.of(seed, List.of(FaultKind.values()), length, SESSION, RECOVERY);
    }

    @Test
    void thePlanFollowsFromTheSeed() {
        assertThat(plan(1, Duration.ofMinutes(5))).isEqualTo(plan(1, Duration.ofMinutes(5)));
        assertThat(plan(1, Duration.ofMinutes(5))).isNotEqualTo(plan(2, Duration.ofMinutes(5)));
    }

    @Test
    void fiveMinutesHaveAtLeastFiftyFaultsOfAllKindsWhateverTheSeed() {
        LongStream.range(0, 200).forEach(seed -> {
            List<FaultPlan.Step> steps = plan(seed, Duration.ofMinutes(5)).steps();
            assertThat(steps).extracting(FaultPlan.Step::kind).containsAll(EnumSet.allOf(FaultKind.class));
            assertThat(steps.stream().filter(step -> step.kind().isFault()))
                    .as("seed %d", seed)
                    .hasSizeGreaterThan(65);
        });
    }

    @Test
    void thereIsTimeToRecoverFromEachFaultOfTheFirstPhaseAndAtTheEnd() {
        LongStream.range(0, 200).forEach(seed -> {
            FaultPlan plan = plan(seed, Duration.ofMinutes(2));
            Duration calmUntil = Duration.ZERO;
            for (FaultPlan.Step step : plan.steps()) {
                if (step.phase() == 1) {
                    assertThat(step.at()).isGreaterThanOrEqualTo(calmUntil);
                    calmUntil = step.at().plus(step.duration()).plus(RECOVERY);
                }
                assertThat(plan.length())
                        .isGreaterThanOrEqualTo(step.at().plus(step.duration()).plus(RECOVERY));
            }
        });
    }

    @Test
    void laterPhasesOverlap() {
        List<FaultPlan.Step> steps = plan(7, Duration.ofMinutes(5)).steps();
        for (int phase : List.of(2, 3)) {
            assertThat(steps.stream().filter(step -> step.phase() == phase))
                    .anySatisfy(step -> assertThat(steps).anySatisfy(other -> {
                        assertThat(other.at()).isGreaterThan(step.at());
                        assertThat(other.at()).isLessThan(step.at().plus(step.duration()));
                    }));
        }
    }
}
