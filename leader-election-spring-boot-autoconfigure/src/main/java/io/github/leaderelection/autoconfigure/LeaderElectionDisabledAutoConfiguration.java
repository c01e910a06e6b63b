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

/** Auto-configuration that logs a warning if leader election is disabled. */
@AutoConfiguration
@ConditionalOnEnabledProperty(value = EnabledProperty.LEADER_ELECTION, havingValue = false)
@Import(LeaderElectionDisabledAutoConfiguration.WarningRegistrar.class)
public final class LeaderElectionDisabledAutoConfiguration {

    LeaderElectionDisabledAutoConfiguration() {}

    static final class WarningRegistrar implements BeanRegistrar {

        private static final Logger log = LoggerFactory.getLogger(LeaderElectionDisabledAutoConfiguration.class);

        @Override
        public void register(BeanRegistry registry, Environment environment) {
            EnabledProperty.LEADER_ELECTION.requireBuildTimeValue(false, environment);
            log.warn("Leader election is disabled (leader-election.enabled=false):"
                    + " methods annotated with @LeaderOnly run on every instance, and @WhileLeader has no effect:"
                    + " beans and message listeners start with the application, and other methods are not called");
        }
    }
}
