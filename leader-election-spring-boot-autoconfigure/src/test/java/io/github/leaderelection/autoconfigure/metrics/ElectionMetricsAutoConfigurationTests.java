package io.github.leaderelection.autoconfigure.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.aop.InvocationMonitor;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.metrics.ElectionMeters;
import io.github.leaderelection.metrics.MeteredInvocationMonitor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ElectionMetricsAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LeaderElectionAutoConfiguration.class, ElectionMetricsAutoConfiguration.class))
            .withPropertyValues("leader-election.mode=local", "leader-election.elections.orders=");

    @Test
    void backsOffWithoutMeterRegistry() {
        runner.run(context ->
                assertThat(context).doesNotHaveBean(ElectionMeters.class).doesNotHaveBean(InvocationMonitor.class));
    }

    @Test
    void registersMetersAndRemovesThemWhenTheContextIsClosed() {
        MeterRegistry outlives = new SimpleMeterRegistry();
        runner.withBean(MeterRegistry.class, () -> outlives, definition -> {
                    if (definition instanceof AbstractBeanDefinition bean) {
                        bean.setDestroyMethodName("");
                    }
                })
                .run(context -> {
                    assertThat(context).hasSingleBean(MeteredInvocationMonitor.class);
                    assertThat(outlives.get("election.leader").gauge().getId().getTag("election"))
                            .isEqualTo("orders");
                });
        assertThat(outlives.getMeters()).isEmpty();
    }

    @Test
    void backsOffWhenElectionsAreDisabled() {
        runner.withPropertyValues("leader-election.enabled=false")
                .withBean(SimpleMeterRegistry.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(ElectionMeters.class)
                        .doesNotHaveBean(InvocationMonitor.class));
    }
}
