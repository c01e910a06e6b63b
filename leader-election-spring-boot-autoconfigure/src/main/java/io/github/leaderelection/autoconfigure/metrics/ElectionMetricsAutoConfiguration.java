package io.github.leaderelection.autoconfigure.metrics;

import io.github.leaderelection.aop.InvocationMonitor;
import io.github.leaderelection.autoconfigure.condition.ConditionalOnEnabledProperty;
import io.github.leaderelection.autoconfigure.condition.EnabledProperty;
import io.github.leaderelection.metrics.ElectionMeters;
import io.github.leaderelection.metrics.MeteredInvocationMonitor;
import io.github.leaderelection.metrics.MeteredTermWorkMonitor;
import io.github.leaderelection.term.TermWorkMonitor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for the meters of elections, and for observations of leader-only calls. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, ObservationRegistry.class})
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnEnabledProperty(EnabledProperty.LEADER_ELECTION)
public final class ElectionMetricsAutoConfiguration {

    ElectionMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    ElectionMeters electionMeters(MeterRegistry registry) {
        return new ElectionMeters(registry);
    }

    @Bean
    @ConditionalOnMissingBean(InvocationMonitor.class)
    MeteredInvocationMonitor leaderOnlyInvocationMonitor(
            MeterRegistry registry, ObjectProvider<ObservationRegistry> observations) {
        return new MeteredInvocationMonitor(registry, observations.getIfUnique(() -> ObservationRegistry.NOOP));
    }

    @Bean
    @ConditionalOnMissingBean(TermWorkMonitor.class)
    MeteredTermWorkMonitor whileLeaderWorkMonitor(MeterRegistry registry) {
        return new MeteredTermWorkMonitor(registry);
    }
}
