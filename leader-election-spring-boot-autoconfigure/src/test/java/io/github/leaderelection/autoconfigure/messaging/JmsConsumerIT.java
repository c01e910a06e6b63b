package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.Elections;
import io.github.leaderelection.WhileLeader;
import jakarta.jms.ConnectionFactory;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.core.JmsTemplate;

class JmsConsumerIT extends ConsumerContract {

    private static final String BROKER = "vm://90";

    private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    private final ActiveMQConnectionFactory connections = new ActiveMQConnectionFactory(BROKER);
    private final JmsTemplate template = new JmsTemplate(connections);

    @Override
    void startBroker() throws Exception {
        broker.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .setJournalDirectory("target/artemis/journal")
                .addAcceptorConfiguration("in-vm", BROKER));
        broker.start();
    }

    @Override
    void stopBroker() throws Exception {
        connections.close();
        broker.stop();
    }

    @Override
    Class<?> application() {
        return Application.class;
    }

    @Override
    String[] properties() {
        return new String[0];
    }

    @Override
    void send(int number) {
        template.convertAndSend("orders", String.valueOf(number));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableJms
    static class Application {

        @Bean
        ConnectionFactory connectionFactory() {
            return new ActiveMQConnectionFactory(BROKER);
        }

        @Bean
        DefaultJmsListenerContainerFactory jmsListenerContainerFactory(ConnectionFactory connections) {
            var factory = new DefaultJmsListenerContainerFactory();
            factory.setConnectionFactory(connections);
            // As Spring Boot does.
            factory.setSessionTransacted(true);
            return factory;
        }

        @Bean
        Consumer consumer(Journal journal, String instanceName, Elections elections) {
            return new Consumer(journal, instanceName, elections);
        }
    }

    record Consumer(Journal journal, String instance, Elections elections) {

        @WhileLeader("orders")
        @JmsListener(id = "orders", destination = "orders")
        void handle(String message) {
            journal.handle(instance, elections.get("orders"), Integer.parseInt(message));
        }
    }
}
