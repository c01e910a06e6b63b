package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyApplication.assertRejected;
import static org.assertj.core.api.Assertions.assertThat;

import io.awspring.cloud.sqs.annotation.SqsListener;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.LeaderOnly.Otherwise;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.cloud.stream.annotation.StreamListener;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.messaging.handler.annotation.MessageMapping;

/** A message that a follower skips would be acknowledged, and lost. */
@Tag("F90")
class MessageListenerMethodTests {

    private static final String LOST = "acknowledge messages without handling them";

    @Test
    void rejectsMessageListenersWhoseCallsMayBeSkipped() {
        assertRejected(Kafka.class, "handle", "@KafkaListener", LOST);
        assertRejected(Rabbit.class, "handle", "@RabbitListener", LOST);
        assertRejected(Jms.class, "handle", "@JmsListener", LOST);
        assertRejected(Sqs.class, "handle", "@SqsListener", LOST);
        assertRejected(Stream.class, "handle", "@StreamListener", LOST);
        assertRejected(OwnAnnotation.class, "handle", "@Orders", LOST);
        assertRejected(SeveralTopics.class, "handle", "@KafkaListener", LOST);
    }

    @Test
    void saysWhatToDoInstead() {
        LeaderOnlyApplication.application(Kafka.class)
                .run(context ->
                        assertThat(context.getStartupFailure()).hasStackTraceContaining("Use @WhileLeader instead"));
    }

    @Test
    void rejectsMessageListenersOfAnnotatedClasses() {
        assertRejected(WholeClass.class, "handle", "@JmsListener", LOST);
        assertRejected(WholeClassWithHiddenListener.class, "handle", "@RabbitListener", LOST);
        assertRejected(WholeListener.class, "handle", "@KafkaHandler", LOST);
    }

    @Test
    void acceptsMessageListenersThatThrow() {
        LeaderOnlyApplication.application(Throwing.class, WholeClassThatThrows.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void acceptsMappingsThatAreNotListenersOfBroker() {
        LeaderOnlyApplication.application(Controller.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Kafka {
        @KafkaListener(topics = "orders")
        @LeaderOnly("orders")
        public void handle(String order) {}
    }

    static class SeveralTopics {
        @KafkaListener(topics = "orders")
        @KafkaListener(topics = "refunds")
        @LeaderOnly("orders")
        public void handle(String order) {}
    }

    static class Rabbit {
        @RabbitListener(queues = "orders")
        @LeaderOnly("orders")
        public void handle(String order) {}
    }

    static class Jms {
        @JmsListener(destination = "orders")
        @LeaderOnly("orders")
        public void handle(String order) {}
    }

    static class Sqs {
        @SqsListener
        @LeaderOnly("orders")
        public void handle(String order) {}
    }

    static class Stream {
        @StreamListener
        @LeaderOnly("orders")
        public void handle(String order) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @KafkaListener(topics = "orders")
    @interface Orders {}

    static class OwnAnnotation {
        @Orders
        @LeaderOnly("orders")
        public void handle(String order) {}
    }

    @LeaderOnly("orders")
    static class WholeClass {
        @JmsListener(destination = "orders")
        public void handle(String order) {}
    }

    @LeaderOnly("orders")
    static class WholeClassWithHiddenListener {
        @RabbitListener(queues = "orders")
        void handle(String order) {}
    }

    @LeaderOnly("orders")
    @KafkaListener(topics = "orders")
    static class WholeListener {
        @KafkaHandler
        public void handle(String order) {}
    }

    static class Throwing {
        @KafkaListener(topics = "orders")
        @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
        public void handle(String order) {}
    }

    @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
    static class WholeClassThatThrows {
        @JmsListener(destination = "orders")
        public void handle(String order) {}
    }

    static class Controller {
        @MessageMapping("orders")
        @LeaderOnly("orders")
        public void handle(String order) {}
    }
}
