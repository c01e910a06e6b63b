package io.github.leaderelection.autoconfigure.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.term.TermWorkMonitor;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
import org.springframework.kafka.annotation.EnableKafkaRetryTopic;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/** Which containers run for a term, and how they are prepared. No broker is needed for that. */
class KafkaListenerContainersTests {

    private final Set<String> names = new TreeSet<>();

    private ApplicationContextRunner application(Class<?>... listeners) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaderElectionAutoConfiguration.class, MessageListenerAutoConfiguration.class))
                .withPropertyValues(
                        "leader-election.mode=local", "leader-election.elections.orders=", "topic.id=placeholder")
                .withBean(TermWorkMonitor.class, () -> (election, name, running) -> {
                    names.add(name);
                    return () -> {};
                })
                .withUserConfiguration(Kafka.class)
                .withUserConfiguration(listeners);
    }

    private void assertRunForTheTerm(Class<?> listeners, String... ids) {
        application(listeners).run(context -> {
            KafkaListenerEndpointRegistry containers = context.getBean(KafkaListenerEndpointRegistry.class);
            assertThat(containers.getListenerContainerIds()).containsExactlyInAnyOrder(ids);
            assertThat(containers.getListenerContainers()).allSatisfy(KafkaListenerContainersTests::assertPrepared);
        });
    }

    private static void assertPrepared(MessageListenerContainer container) {
        assertThat(container.isAutoStartup()).isFalse();
        assertThat(container.isRunning()).isFalse();
        assertThat(container.getContainerProperties().isStopImmediate()).isTrue();
    }

    @Test
    void aClassWithHandlers() {
        assertRunForTheTerm(WithHandlers.class, "orders");
        assertThat(names).hasSize(1);
    }

    @Test
    void aListenerOfBatchesWithSeveralConsumersThatWouldStartByItself() {
        assertRunForTheTerm(OfBatches.class, "orders");
        assertThat(names).containsExactly("OfBatches.on");
    }

    @Test
    void aRepeatedAnnotation() {
        assertRunForTheTerm(Repeated.class, "orders", "refunds");
        assertThat(names).containsExactly("Repeated.on[orders]", "Repeated.on[refunds]");
    }

    @Test
    void anAnnotationThatIsMadeOfOthers() {
        assertRunForTheTerm(Composed.class, "composed");
        assertThat(names).containsExactly("Composed.on");
    }

    @Test
    void anIdWithAPlaceholder() {
        assertRunForTheTerm(WithPlaceholder.class, "placeholder");
        assertThat(names).containsExactly("WithPlaceholder.on");
    }

    @Test
    void theContainersOfTopicsForRetries() {
        assertRunForTheTerm(WithRetries.class, "orders", "orders-retry", "orders-dlt");
        assertThat(names)
                .containsExactly(
                        "WithRetries.on[orders-dlt]", "WithRetries.on[orders-retry]", "WithRetries.on[orders]");
    }

    @Test
    void aContainerThatIsABean() {
        application(ContainerBean.class)
                .run(context -> assertPrepared(context.getBean("container", MessageListenerContainer.class)));
        assertThat(names).containsExactly("container");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableKafkaRetryTopic
    static class Kafka {

        @Bean
        ConsumerFactory<Object, Object> consumerFactory() {
            return new DefaultKafkaConsumerFactory<>(Map.of(
                    "bootstrap.servers",
                    "127.0.0.1:1",
                    "key.deserializer",
                    StringDeserializer.class,
                    "value.deserializer",
                    StringDeserializer.class));
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<Object, Object> kafkaListenerContainerFactory(
                ConsumerFactory<Object, Object> consumers) {
            var factory = new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(consumers);
            return factory;
        }

        @Bean
        KafkaTemplate<String, String> kafkaTemplate() {
            return new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(
                    Map.of("bootstrap.servers", "127.0.0.1:1"), new StringSerializer(), new StringSerializer()));
        }

        @Bean
        TaskScheduler taskScheduler() {
            return new SimpleAsyncTaskScheduler();
        }
    }

    @WhileLeader("orders")
    @KafkaListener(id = "orders", topics = "orders")
    static class WithHandlers {

        @KafkaHandler
        void on(String message) {}

        @KafkaHandler
        void on(Integer message) {}
    }

    static class OfBatches {

        @WhileLeader("orders")
        @KafkaListener(id = "orders", topics = "orders", batch = "true", concurrency = "2", autoStartup = "true")
        void on(List<String> messages) {}
    }

    static class Repeated {

        @WhileLeader("orders")
        @KafkaListener(id = "orders", topics = "orders")
        @KafkaListener(id = "refunds", topics = "refunds")
        void on(String message) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @WhileLeader("orders")
    @KafkaListener
    @interface OrderListener {

        @AliasFor(annotation = KafkaListener.class, attribute = "id")
        String id();

        @AliasFor(annotation = KafkaListener.class, attribute = "topics")
        String[] topics() default "orders";
    }

    static class Composed {

        @OrderListener(id = "composed")
        void on(String message) {}
    }

    static class WithPlaceholder {

        @WhileLeader("orders")
        @KafkaListener(id = "${topic.id}", topics = "orders")
        void on(String message) {}
    }

    static class WithRetries {

        @WhileLeader("orders")
        @RetryableTopic(attempts = "2")
        @KafkaListener(id = "orders", topics = "orders")
        void on(String message) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class ContainerBean {

        @Bean
        @WhileLeader("orders")
        ConcurrentMessageListenerContainer<Object, Object> container(ConsumerFactory<Object, Object> consumers) {
            var properties = new ContainerProperties("orders");
            properties.setMessageListener((MessageListener<Object, Object>) message -> {});
            properties.setGroupId("orders");
            return new ConcurrentMessageListenerContainer<>(consumers, properties);
        }
    }
}
