package io.github.leaderelection.autoconfigure.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;

class HealthGroupTests {

    private static final HealthIndicator UP = () -> Health.up().build();
    private static final HealthIndicator DOWN = () -> Health.down().build();
    private static final HealthIndicator OUT_OF_SERVICE =
            () -> Health.outOfService().build();

    @Test
    void memberThatIsDownCounts() {
        assertThat(isDown(Map.of("db", DOWN, "disk", UP), "db")).isTrue();
        assertThat(isDown(Map.of("db", OUT_OF_SERVICE, "disk", UP), "db")).isTrue();
        assertThat(isDown(Map.of("db", UP, "disk", UP), "db", "disk")).isFalse();
    }

    @Test
    void otherContributorsDoNotCount() {
        assertThat(isDown(Map.of("db", UP, "disk", DOWN), "db")).isFalse();
    }

    @Test
    void partOfACompositeCanBeAMember() {
        Map<String, HealthContributor> contributors = Map.of("db", composite(Map.of("primary", UP, "replica", DOWN)));
        assertThat(isDown(contributors, "db/primary")).isFalse();
        assertThat(isDown(contributors, "db/replica")).isTrue();
        assertThat(isDown(contributors, "db/primary", "db/replica")).isTrue();
    }

    private static CompositeHealthContributor composite(Map<String, ? extends HealthContributor> contributors) {
        return CompositeHealthContributor.fromMap(contributors, Function.identity());
    }

    private static boolean isDown(Map<String, ? extends HealthContributor> contributors, String... members) {
        return new HealthGroup(composite(contributors), Set.of(members)::contains).getAsBoolean();
    }
}
