package io.github.leaderelection.autoconfigure.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class RabbitListenerContainersTests {

    @Test
    void aStopMayTakeAsLongAsTheDrainTimeoutOfTheElection() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaderElectionAutoConfiguration.class, MessageListenerAutoConfiguration.class))
                .withPropertyValues(
                        "leader-election.mode=local",
                        "leader-election.drain-timeout=3s",
                        "leader-election.elections.orders.drain-timeout=7s",
                        "leader-election.elections.billing=")
                .withUserConfiguration(Listeners.class)
                .run(context -> {
                    var containers = context.getBean(RabbitListenerEndpointRegistry.class);
                    assertThat(containers.getListenerContainer("orders"))
                            .hasFieldOrPropertyWithValue("shutdownTimeout", 7_000L);
                    assertThat(containers.getListenerContainer("billing"))
                            .hasFieldOrPropertyWithValue("shutdownTimeout", 3_000L);
                    assertThat(context.getBean("container", SimpleMessageListenerContainer.class))
                            .hasFieldOrPropertyWithValue("shutdownTimeout", 7_000L)
                            .hasFieldOrPropertyWithValue("forceStop", true)
                            .matches(container -> !container.isRunning() && !container.isAutoStartup());
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableRabbit
    static class Listeners {

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory() {
            var factory = new SimpleRabbitListenerContainerFactory();
            factory.setConnectionFactory(new CachingConnectionFactory("127.0.0.1", 1));
            return factory;
        }

        @Bean
        @WhileLeader("orders")
        SimpleMessageListenerContainer container() {
            var container = new SimpleMessageListenerContainer(new CachingConnectionFactory("127.0.0.1", 1));
            container.setQueueNames("orders");
            container.setMessageListener(message -> {});
            return container;
        }

        @WhileLeader("orders")
        @RabbitListener(
                id = "orders",
                queues = {"orders", "refunds"})
        void onOrder(String message) {}

        @WhileLeader("billing")
        @RabbitListener(id = "billing", queues = "billing")
        void onBill(String message) {}
    }
}
