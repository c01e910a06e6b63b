package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.zookeeper.fixture.FreePort;
import jakarta.jms.ConnectionFactory;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.core.JmsTemplate;

class JmsConsumerIT extends ConsumerContract {

    /** By TCP, for instances in other processes. */
    private final String address = "tcp://127.0.0.1:" + FreePort.pick();

    private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    private final ActiveMQConnectionFactory connections = new ActiveMQConnectionFactory(address);
    private final JmsTemplate template = new JmsTemplate(connections);

    @Override
    void startBroker() throws Exception {
        broker.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .setJournalDirectory("target/artemis/journal")
                .addAcceptorConfiguration("tcp", address));
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
        return new String[] {"broker=" + address};
    }

    @Override
    void send(int number) {
        template.convertAndSend("orders", String.valueOf(number));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableJms
    static class Application {

        @Bean
        ConnectionFactory connectionFactory(@Value("${broker}") String broker) {
            return new ActiveMQConnectionFactory(broker);
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
        Consumer consumer(MessageHandler handler) {
            return new Consumer(handler);
        }
    }

    record Consumer(MessageHandler handler) {

        @WhileLeader("orders")
        @JmsListener(id = "orders", destination = "orders")
        void handle(String message) {
            handler.handle(message);
        }
    }
}
