package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.autoconfigure.condition.ConditionalOnEnabledProperty;
import io.github.leaderelection.autoconfigure.condition.EnabledProperty;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** Auto-configuration for message listeners that run for a term, for each broker that the application can use. */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@ConditionalOnEnabledProperty(EnabledProperty.LEADER_ELECTION)
public final class MessageListenerAutoConfiguration {

    MessageListenerAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(KafkaListenerEndpointRegistry.class)
    static class KafkaConfiguration {

        @Bean
        KafkaListenerContainers whileLeaderKafkaListenerContainers(
                ObjectProvider<KafkaListenerEndpointRegistry> registry) {
            return new KafkaListenerContainers(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RabbitListenerEndpointRegistry.class)
    static class RabbitConfiguration {

        @Bean
        RabbitListenerContainers whileLeaderRabbitListenerContainers(
                ObjectProvider<RabbitListenerEndpointRegistry> registry) {
            return new RabbitListenerContainers(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JmsListenerEndpointRegistry.class)
    static class JmsConfiguration {

        @Bean
        JmsListenerContainers whileLeaderJmsListenerContainers(ObjectProvider<JmsListenerEndpointRegistry> registry) {
            return new JmsListenerContainers(registry);
        }
    }
}
