package io.github.leaderelection.autoconfigure.health;

import io.github.leaderelection.Elections;
import io.github.leaderelection.actuate.ElectionHealthIndicator;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.lifecycle.ElectionProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for the health component {@code election}. */
@AutoConfiguration(
        after = LeaderElectionAutoConfiguration.class,
        beforeName = "org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration")
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({Elections.class, ElectionProvider.class})
@ConditionalOnEnabledHealthIndicator("election")
public final class ElectionHealthAutoConfiguration {

    ElectionHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "electionHealthIndicator")
    ElectionHealthIndicator electionHealthIndicator(Elections elections, ElectionProvider provider) {
        return new ElectionHealthIndicator(elections, provider::connection);
    }
}
