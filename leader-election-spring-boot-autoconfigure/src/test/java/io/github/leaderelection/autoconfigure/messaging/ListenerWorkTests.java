package io.github.leaderelection.autoconfigure.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.EventLog;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.test.TestElection;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.AbstractJmsListenerContainerFactory;
import org.springframework.jms.listener.AbstractMessageListenerContainer;

/** Message listeners whose containers start and stop slowly, or not at all. No broker is needed for that. */
class ListenerWorkTests {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TestElection orders = new TestElection("orders", PATIENCE);
    private final EventLog events = EventLog.of(orders);
    private final RecordedContainer container = new RecordedContainer();

    private ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaderElectionAutoConfiguration.class, MessageListenerAutoConfiguration.class))
                .withPropertyValues("leader-election.mode=local")
                .withBean("ordersElection", TestElection.class, () -> orders)
                .withBean(Holder.class, () -> new Holder(container))
                .withUserConfiguration(Listeners.class);
    }

    private static CompletableFuture<Void> inBackground(Runnable action) {
        return CompletableFuture.runAsync(action, task -> new Thread(task).start());
    }

    private void awaitCalls(String... calls) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(container.calls).containsExactly(calls));
    }

    @Test
    void theContainerRunsForTheTermAndNotBefore() {
        container.mayStart.countDown();
        container.mayStop.countDown();
        application().run(context -> {
            assertThat(container.calls).isEmpty();
            orders.grant();
            awaitCalls("starting", "started");
            orders.stepDown();
            awaitCalls("starting", "started", "stopping", "stopped");
        });
    }

    @Test
    void aHandOverWaitsForASlowStop() {
        container.mayStart.countDown();
        application().run(context -> {
            orders.grant();
            CompletableFuture<Void> handedOver = inBackground(orders::stepDown);
            awaitCalls("starting", "started", "stopping");
            assertThat(handedOver).isNotDone();
            container.mayStop.countDown();
            await().atMost(PATIENCE).until(handedOver::isDone);
            awaitCalls("starting", "started", "stopping", "stopped");
        });
    }

    @Test
    void aStartThatThrowsGivesUpLeadership() {
        container.failure = new IllegalStateException("no broker");
        container.mayStart.countDown();
        application().run(context -> {
            orders.grant();
            events.awaitEvent("revoked 1 LISTENER_FAILED");
            assertThat(container.calls).containsExactly("starting");
        });
    }

    @Test
    void aRevocationDuringTheStartWaitsForItAndStopsIt() {
        container.mayStop.countDown();
        application().run(context -> {
            CompletableFuture<?> granted = inBackground(orders::grant);
            awaitCalls("starting");
            orders.revoke(RevocationReason.CONNECTION_LOST);
            assertThat(container.calls).containsExactly("starting");
            container.mayStart.countDown();
            awaitCalls("starting", "started", "stopping", "stopped");
            await().atMost(PATIENCE).until(granted::isDone);
        });
    }

    @Test
    void theContainerStartsWithTheApplicationIfLeaderElectionIsDisabled() {
        container.mayStart.countDown();
        container.mayStop.countDown();
        application()
                .withPropertyValues("leader-election.enabled=false")
                .run(context -> assertThat(container.calls).containsExactly("starting", "started"));
    }

    /** As a bean, the container would be started by the context. */
    private record Holder(RecordedContainer container) {}

    /** Records how it is started and stopped, instead of connecting to a broker. */
    private static final class RecordedContainer extends AbstractMessageListenerContainer {

        private final List<String> calls = new CopyOnWriteArrayList<>();
        private final CountDownLatch mayStart = new CountDownLatch(1);
        private final CountDownLatch mayStop = new CountDownLatch(1);
        private volatile RuntimeException failure;

        RecordedContainer() {
            setConnectionFactory(new ActiveMQConnectionFactory("vm://92"));
        }

        @Override
        protected boolean sharedConnectionEnabled() {
            return false;
        }

        @Override
        public void setConcurrency(String concurrency) {}

        @Override
        protected void doInitialize() {}

        @Override
        protected void doShutdown() {}

        @Override
        protected void doStart() throws JMSException {
            calls.add("starting");
            pass(mayStart);
            if (failure != null) {
                throw failure;
            }
            super.doStart();
            calls.add("started");
        }

        @Override
        protected void doStop() throws JMSException {
            calls.add("stopping");
            pass(mayStop);
            super.doStop();
            calls.add("stopped");
        }

        private static void pass(CountDownLatch gate) {
            try {
                gate.await();
            } catch (InterruptedException overdue) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableJms
    static class Listeners {

        @Bean
        AbstractJmsListenerContainerFactory<RecordedContainer> jmsListenerContainerFactory(Holder holder) {
            return new AbstractJmsListenerContainerFactory<>() {
                @Override
                protected RecordedContainer createContainerInstance() {
                    return holder.container();
                }
            };
        }

        @WhileLeader("orders")
        @JmsListener(id = "orders", destination = "orders")
        void onOrder(String message) {}
    }
}
