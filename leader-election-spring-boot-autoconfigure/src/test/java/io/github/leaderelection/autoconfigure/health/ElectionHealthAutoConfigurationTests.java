package io.github.leaderelection.autoconfigure.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.actuate.ElectionHealthIndicator;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ElectionHealthAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(LeaderElectionAutoConfiguration.class, ElectionHealthAutoConfiguration.class))
            .withPropertyValues("leader-election.mode=local", "leader-election.elections.orders=");

    @Test
    void definesHealthIndicator() {
        runner.run(context -> assertThat(context).hasSingleBean(ElectionHealthIndicator.class));
    }

    @Test
    void backsOffWhenHealthIndicatorIsDisabled() {
        runner.withPropertyValues("management.health.election.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(ElectionHealthIndicator.class));
    }

    @Test
    void backsOffToHealthIndicatorOfTheApplication() {
        HealthIndicator own = () -> Health.up().build();
        runner.withBean("electionHealthIndicator", HealthIndicator.class, () -> own)
                .run(context -> assertThat(context).doesNotHaveBean(ElectionHealthIndicator.class));
    }

    @Test
    void backsOffWhenElectionsAreDisabled() {
        runner.withPropertyValues("leader-election.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ElectionHealthIndicator.class));
    }
}
