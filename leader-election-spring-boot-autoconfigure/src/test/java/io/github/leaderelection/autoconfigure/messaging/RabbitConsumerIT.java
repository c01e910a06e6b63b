package io.github.leaderelection.autoconfigure.messaging;

import static org.awaitility.Awaitility.await;

import io.github.leaderelection.WhileLeader;
import java.time.Duration;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@RabbitBroker.Required
class RabbitConsumerIT extends ConsumerContract {

    private RabbitBroker broker;
    private CachingConnectionFactory connections;

    @Override
    void startBroker() throws Exception {
        broker = new RabbitBroker();
        connections = new CachingConnectionFactory("127.0.0.1", broker.port());
        // Seen to take more than 90 seconds on a busy machine.
        await().atMost(Duration.ofMinutes(4)).ignoreExceptions().until(() -> {
            new RabbitAdmin(connections).declareQueue(new Queue("orders"));
            return true;
        });
    }

    @Override
    void stopBroker() throws Exception {
        connections.destroy();
        broker.close();
    }

    @Override
    Class<?> application() {
        return Application.class;
    }

    @Override
    String[] properties() {
        return new String[] {"broker.port=" + broker.port()};
    }

    @Override
    void send(int number) {
        new RabbitTemplate(connections).convertAndSend("orders", String.valueOf(number));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableRabbit
    static class Application {

        @Bean
        CachingConnectionFactory connectionFactory(@Value("${broker.port}") int port) {
            return new CachingConnectionFactory("127.0.0.1", port);
        }

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(ConnectionFactory connections) {
            var factory = new SimpleRabbitListenerContainerFactory();
            factory.setConnectionFactory(connections);
            return factory;
        }

        @Bean
        Consumer consumer(MessageHandler handler) {
            return new Consumer(handler);
        }
    }

    record Consumer(MessageHandler handler) {

        @WhileLeader("orders")
        @RabbitListener(id = "orders", queues = "orders")
        void handle(String message) {
            handler.handle(message);
        }
    }
}
