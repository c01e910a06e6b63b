package io.github.leaderelection.autoconfigure.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.aop.InvocationMonitor;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.metrics.ElectionMeters;
import io.github.leaderelection.metrics.MeteredInvocationMonitor;
import io.github.leaderelection.test.TestElection;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
    void observesCallsForATermLikeLeaderOnlyCalls() {
        BlockingQueue<Observation.Context> stopped = new LinkedBlockingQueue<>();
        runner.withBean(SimpleMeterRegistry.class)
                .withBean(ObservationRegistry.class, () -> observations(stopped))
                .withBean("ordersElection", TestElection.class, () -> new TestElection("orders"))
                .withUserConfiguration(Work.class)
                .run(context -> {
                    TestElection orders = context.getBean(TestElection.class);
                    Work work = context.getBean(Work.class);
                    orders.grant();
                    work.started().await();
                    work.call();
                    assertObserved(stopped, "call");
                    assertThat(stopped).isEmpty();
                    orders.stepDown();
                    assertObserved(stopped, "run");
                });
    }

    private static ObservationRegistry observations(Queue<Observation.Context> stopped) {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        return registry;
    }

    private static void assertObserved(BlockingQueue<Observation.Context> stopped, String method)
            throws InterruptedException {
        Observation.Context context = stopped.poll(20, TimeUnit.SECONDS);
        assertThat(context).isNotNull();
        assertThat(context.getName()).isEqualTo("election.invocation");
        assertThat(context.getError()).isNull();
        assertThat(context.getLowCardinalityKeyValues())
                .contains(KeyValue.of("election", "orders"), KeyValue.of("method", method));
    }

    static class Work {

        private final CountDownLatch started = new CountDownLatch(1);

        public CountDownLatch started() {
            return started;
        }

        @LeaderOnly("orders")
        public void call() {}

        @WhileLeader("orders")
        public void run() throws InterruptedException {
            started.countDown();
            new CountDownLatch(1).await();
        }
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
