package io.github.leaderelection.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.leaderelection.benchmarks.scenario.Mode;
import io.github.leaderelection.benchmarks.scenario.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The selection of scenarios and servers. */
class PlanTests {

    @Test
    void withoutNamesAllScenariosRun() {
        Plan plan = Plan.of("");

        assertThat(names(plan, Plan.MEMORY)).startsWith("many").contains("hand-over", "first", "growth", "cold", "jmh");
        assertThat(names(plan, Plan.DISK)).containsExactly("hand-over", "first");
        assertThat(names(plan, Plan.ENSEMBLE)).containsExactly("hand-over", "first");
    }

    @Test
    void theShortModeOmitsLongScenarios() {
        Plan plan = Plan.of(Mode.named("short").defaultSelection());

        assertThat(names(plan, Plan.MEMORY))
                .containsExactly("many", "hand-over", "first", "herd", "requests", "crash", "cold", "jmh");
        assertThat(names(plan, Plan.DISK)).isEmpty();
        assertThat(names(plan, Plan.ENSEMBLE)).containsExactly("hand-over", "first");
    }

    @Test
    void aScenarioRunsOnAllItsServers() {
        Plan plan = Plan.of("hand-over, jmh");

        assertThat(names(plan, Plan.MEMORY)).containsExactly("hand-over", "jmh");
        assertThat(names(plan, Plan.DISK)).containsExactly("hand-over");
        assertThat(names(plan, Plan.ENSEMBLE)).containsExactly("hand-over");
    }

    @Test
    void aServerRunsAllItsScenarios() {
        Plan plan = Plan.of("disk");

        assertThat(names(plan, Plan.MEMORY)).isEmpty();
        assertThat(names(plan, Plan.DISK)).containsExactly("hand-over", "first");
        assertThat(names(plan, Plan.ENSEMBLE)).isEmpty();
    }

    @Test
    void aScenarioAndAServerSelectThatCombination() {
        Plan plan = Plan.of("hand-over,ensemble");

        assertThat(names(plan, Plan.MEMORY)).isEmpty();
        assertThat(names(plan, Plan.DISK)).isEmpty();
        assertThat(names(plan, Plan.ENSEMBLE)).containsExactly("hand-over");
    }

    @Test
    void anUnknownNameIsRejectedWithAListOfTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plan.of("handover,disk"))
                .withMessageContainingAll("handover;", "hand-over", "many", "memory", "disk", "ensemble");
    }

    @Test
    void aScenarioThatNoSelectedServerRunsIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plan.of("hand-over,jmh,ensemble"))
                .withMessage("Scenario jmh does not run on [ensemble]");
    }

    private static List<String> names(Plan plan, String server) {
        return plan.on(server).stream().map(Scenario::name).toList();
    }
}
