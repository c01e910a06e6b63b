package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.WhileLeader;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

class KafkaConsumerIT extends ConsumerContract {

    private final EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1, "orders");
    private DefaultKafkaProducerFactory<String, String> producers;
    private KafkaTemplate<String, String> template;

    @Override
    void startBroker() {
        broker.brokerProperty("group.initial.rebalance.delay.ms", "0");
        broker.afterPropertiesSet();
        producers = new DefaultKafkaProducerFactory<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.getBrokersAsString()),
                new StringSerializer(),
                new StringSerializer());
        template = new KafkaTemplate<>(producers);
    }

    @Override
    void stopBroker() {
        producers.destroy();
        broker.destroy();
    }

    @Override
    Class<?> application() {
        return Application.class;
    }

    @Override
    String[] properties() {
        return new String[] {"broker=" + broker.getBrokersAsString()};
    }

    @Override
    void send(int number) {
        template.send("orders", String.valueOf(number)).join();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableKafka
    static class Application {

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory(
                @Value("${broker}") String broker) {
            var factory = new ConcurrentKafkaListenerContainerFactory<String, String>();
            factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(
                    Map.of(
                            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                            broker,
                            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                            "earliest",
                            // How long the partitions of a crashed consumer stay with it.
                            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                            6_000,
                            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                            1_000),
                    new StringDeserializer(),
                    new StringDeserializer()));
            return factory;
        }

        @Bean
        Consumer consumer(MessageHandler handler) {
            return new Consumer(handler);
        }
    }

    record Consumer(MessageHandler handler) {

        @WhileLeader("orders")
        @KafkaListener(id = "orders", topics = "orders")
        void handle(String message) {
            handler.handle(message);
        }
    }
}
