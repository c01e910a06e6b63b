package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.autoconfigure.condition.ConditionalOnEnabledProperty;
import io.github.leaderelection.autoconfigure.condition.EnabledProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Says so where leader election is switched off. */
@AutoConfiguration
@ConditionalOnEnabledProperty(value = EnabledProperty.ELECTIONS, on = false)
@Import(LeaderElectionDisabledAutoConfiguration.Warning.class)
public final class LeaderElectionDisabledAutoConfiguration {

    LeaderElectionDisabledAutoConfiguration() {}

    static final class Warning implements BeanRegistrar {

        private static final Logger log = LoggerFactory.getLogger(LeaderElectionDisabledAutoConfiguration.class);

        @Override
        public void register(BeanRegistry registry, Environment environment) {
            EnabledProperty.ELECTIONS.requireBuilt(false, environment);
            log.warn("Leader election is switched off (leader-election.enabled=false):"
                    + " methods marked @LeaderOnly run on every instance");
        }
    }
}
