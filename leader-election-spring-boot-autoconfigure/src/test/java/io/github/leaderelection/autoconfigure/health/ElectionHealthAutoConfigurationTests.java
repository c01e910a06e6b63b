package io.github.leaderelection.autoconfigure.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.actuate.ElectionHealthIndicator;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
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
    void namesAListenerThatIsStillBusyWithAnEarlierTerm() {
        var blocked = new BlockedListener();
        runner.withPropertyValues("leader-election.drain-timeout=100ms")
                .withBean(ElectionCustomizer.class, () -> election -> election.addListener(blocked))
                .run(context -> {
                    var health = context.getBean(ElectionHealthIndicator.class);
                    Election orders = context.getBean("ordersElection", Election.class);
                    orders.nominate();
                    await().until(orders::isLeader);
                    orders.stepDown();
                    await().untilAsserted(() -> {
                        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
                        assertThat(health.health().getDetails().get("reason"))
                                .asString()
                                .contains("orders", "busy with an earlier term", BlockedListener.class.getName());
                    });
                    blocked.mayEnd.countDown();
                    await().untilAsserted(() ->
                            assertThat(health.health().getStatus()).isEqualTo(Status.UP));
                });
    }

    private static final class BlockedListener implements ElectionListener {

        private final CountDownLatch mayEnd = new CountDownLatch(1);

        @Override
        public void granted(Leadership term) {
            while (mayEnd.getCount() > 0) {
                try {
                    mayEnd.await();
                } catch (InterruptedException stubborn) {
                    // As a listener that ignores interrupts does.
                }
            }
        }
    }

    @Test
    void backsOffWhenElectionsAreDisabled() {
        runner.withPropertyValues("leader-election.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ElectionHealthIndicator.class));
    }
}
