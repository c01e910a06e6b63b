package io.github.leaderelection.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.actuate.ElectionHealthIndicator;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.autoconfigure.health.ElectionHealthAutoConfiguration;
import io.github.leaderelection.zookeeper.fixture.RecordedLog;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

/** An event listener that works for the whole term, as if it were Curator's {@code takeLeadership}. */
@Tag("F89")
class BusyEventListenerTests {

    @RegisterExtension
    final RecordedLog log = new RecordedLog();

    @Test
    void isInterruptedAndNamed() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaderElectionAutoConfiguration.class, ElectionHealthAutoConfiguration.class))
                .withPropertyValues(
                        "leader-election.mode=local",
                        "leader-election.drain-timeout=200ms",
                        "leader-election.elections.orders=")
                .withBean(TakesLeadership.class)
                .run(context -> {
                    Election orders = context.getBean(Election.class);
                    TakesLeadership listener = context.getBean(TakesLeadership.class);
                    orders.nominate();
                    listener.entered.await();

                    orders.stepDown();

                    String name = TakesLeadership.class.getName() + ".lead()";
                    listener.interrupted.await();
                    await().untilAsserted(() -> assertThat(orders.status().error())
                            .hasValueSatisfying(error -> assertThat(error).contains(name)));
                    Health health =
                            context.getBean(ElectionHealthIndicator.class).health();
                    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                    assertThat(health.getDetails().get("reason")).asString().contains(name);
                    assertThat(log.warnings()).anyMatch(line -> line.contains("busy listeners: " + name));
                    assertThat(orders.isLeader()).isFalse();

                    listener.end.countDown();
                    await().until(orders::isLeader);
                    assertThat(orders.status().error()).isEmpty();
                });
    }

    static class TakesLeadership {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch interrupted = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);

        @EventListener
        public void lead(OnGrantedEvent event) {
            entered.countDown();
            while (end.getCount() > 0) {
                try {
                    end.await();
                } catch (InterruptedException overdue) {
                    interrupted.countDown();
                }
            }
        }
    }
}
