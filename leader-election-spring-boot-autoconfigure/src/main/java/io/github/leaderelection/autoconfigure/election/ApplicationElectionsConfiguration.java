package io.github.leaderelection.autoconfigure.election;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.Elections;
import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.ValidatedProperties;
import io.github.leaderelection.lifecycle.ApplicationElections;
import io.github.leaderelection.lifecycle.ElectionLifecycle;
import io.github.leaderelection.lifecycle.ElectionProvider;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configuration of the {@link Elections} bean and of its lifecycle. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(Elections.class)
class ApplicationElectionsConfiguration {

    @Bean
    ApplicationElections leaderElections(
            ValidatedProperties properties,
            ElectionProvider provider,
            ListableBeanFactory beanFactory,
            ObjectProvider<ElectionCustomizer> customizers) {
        return new ApplicationElections(
                properties.elections(),
                properties::electionAtRunTime,
                provider,
                () -> beanFactory.getBeansOfType(Election.class).values(),
                customizers.orderedStream().toList());
    }

    @Bean
    ElectionLifecycle leaderElectionLifecycle(
            ApplicationElections elections,
            LeaderElectionProperties properties,
            ValidatedProperties validated,
            Environment environment) {
        return new ElectionLifecycle(
                elections, properties.leaveWhenNotReady(), ShutdownTimeout.resolve(properties, validated, environment));
    }
}
