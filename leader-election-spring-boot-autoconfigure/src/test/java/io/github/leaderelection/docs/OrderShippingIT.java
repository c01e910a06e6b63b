package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.autoconfigure.messaging.MessageListenerAutoConfiguration;
import io.github.leaderelection.test.TestElection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

class OrderShippingIT {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private final EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1, "orders");

    @BeforeEach
    void start() {
        broker.brokerProperty("group.initial.rebalance.delay.ms", "0");
        broker.afterPropertiesSet();
    }

    @AfterEach
    void stop() {
        broker.destroy();
    }

    @Test
    void shipsOnlyWhileItLeads() {
        List<String> shipped = new CopyOnWriteArrayList<>();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaderElectionAutoConfiguration.class, MessageListenerAutoConfiguration.class))
                .withPropertyValues("leader-election.mode=local")
                .withBean(TestElection.class, () -> new TestElection("orders"))
                .withBean(OrderShipping.Warehouse.class, () -> shipped::add)
                .withBean("kafkaListenerContainerFactory", ConcurrentKafkaListenerContainerFactory.class, this::factory)
                .withUserConfiguration(OrderShipping.class, Kafka.class)
                .run(context -> {
                    send("1");
                    TestElection election = context.getBean(TestElection.class);
                    assertThat(shipped).isEmpty();
                    election.grant();
                    await().atMost(BOUND).until(() -> shipped.contains("1"));
                    election.stepDown();
                    send("2");
                    assertThat(shipped).containsExactly("1");
                    election.grant();
                    await().atMost(BOUND).until(() -> shipped.contains("2"));
                });
    }

    private ConcurrentKafkaListenerContainerFactory<String, String> factory() {
        var factory = new ConcurrentKafkaListenerContainerFactory<String, String>();
        factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        broker.getBrokersAsString(),
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest"),
                new StringDeserializer(),
                new StringDeserializer()));
        return factory;
    }

    private void send(String order) {
        var producers = new DefaultKafkaProducerFactory<>(
                Map.<String, Object>of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.getBrokersAsString()),
                new StringSerializer(),
                new StringSerializer());
        new KafkaTemplate<>(producers).send("orders", order).join();
        producers.destroy();
    }

    @EnableKafka
    static class Kafka {}
}
