package io.github.leaderelection.autoconfigure.info;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.actuate.ElectionInfoContributor;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ElectionInfoAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(LeaderElectionAutoConfiguration.class, ElectionInfoAutoConfiguration.class))
            .withPropertyValues("leader-election.mode=local", "leader-election.elections.orders=");

    @Test
    void definesInfoContributor() {
        runner.run(context -> assertThat(context).hasSingleBean(ElectionInfoContributor.class));
    }

    @Test
    void backsOffWhenInfoContributorIsDisabled() {
        runner.withPropertyValues("management.info.election.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(ElectionInfoContributor.class));
    }

    @Test
    void backsOffWhenElectionsAreDisabled() {
        runner.withPropertyValues("leader-election.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ElectionInfoContributor.class));
    }
}
