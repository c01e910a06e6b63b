package io.github.leaderelection.autoconfigure.info;

import io.github.leaderelection.Elections;
import io.github.leaderelection.actuate.ElectionInfoContributor;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for the roles of this instance in the actuator endpoint {@code info}. */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnBean(Elections.class)
@ConditionalOnEnabledInfoContributor("election")
public final class ElectionInfoAutoConfiguration {

    ElectionInfoAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "electionInfoContributor")
    ElectionInfoContributor electionInfoContributor(Elections elections) {
        return new ElectionInfoContributor(elections);
    }
}
