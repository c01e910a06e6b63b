package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.autoconfigure.FailureReport;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Lazy;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.kafka.annotation.KafkaListener;

class ListenerMistakesTests {

    @Test
    void aKafkaListenerWithoutAnId() {
        assertRejected(KafkaWithoutId.class, "KafkaWithoutId.on()", "@KafkaListener has no id");
    }

    @Test
    void aRabbitListenerWithoutAnId() {
        assertRejected(RabbitWithoutId.class, "RabbitWithoutId.on()", "@RabbitListener has no id");
    }

    @Test
    void aJmsListenerWithoutAnId() {
        assertRejected(JmsWithoutId.class, "JmsWithoutId.on()", "@JmsListener has no id");
    }

    @Test
    void aRepeatedListenerWithoutAnId() {
        assertRejected(JmsRepeated.class, "JmsRepeated.on()", "@JmsListener has no id");
    }

    @Test
    void aListenerThatIsLeaderOnlyToo() {
        assertRejected(Both.class, "Both.on()", "@LeaderOnly");
    }

    @Test
    void aListenerThatStepsDown() {
        assertRejected(StepsDown.class, "StepsDown.on()", "STEP_DOWN");
    }

    @Test
    void aLazyBean() {
        assertRejected(LazyListener.class, "LazyListener.on()", "created lazily");
    }

    @Test
    void aListenerWhoseBrokerIsNotEnabled() {
        assertRejected(NotEnabled.class, "no container", "@JmsListener(id = \"orders\")");
    }

    private static void assertRejected(Class<?> bean, String... reasons) {
        var application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaderElectionAutoConfiguration.class, MessageListenerAutoConfiguration.class))
                .withPropertyValues("leader-election.mode=local", "leader-election.elections.orders=")
                .withUserConfiguration(bean);
        FailureReport.assertMisconfigured(application, reasons);
    }

    static class KafkaWithoutId {
        @WhileLeader
        @KafkaListener(topics = "orders")
        void on(String message) {}
    }

    static class RabbitWithoutId {
        @WhileLeader
        @RabbitListener(queues = "orders")
        void on(String message) {}
    }

    static class JmsWithoutId {
        @WhileLeader
        @JmsListener(destination = "orders")
        void on(String message) {}
    }

    static class JmsRepeated {
        @WhileLeader
        @JmsListener(id = "orders", destination = "orders")
        @JmsListener(destination = "refunds")
        void on(String message) {}
    }

    static class Both {
        @WhileLeader
        @LeaderOnly(otherwise = LeaderOnly.Otherwise.THROW)
        @JmsListener(id = "orders", destination = "orders")
        void on(String message) {}
    }

    static class StepsDown {
        @WhileLeader(then = WhileLeader.Then.STEP_DOWN)
        @JmsListener(id = "orders", destination = "orders")
        void on(String message) {}
    }

    @Lazy
    static class LazyListener {
        @WhileLeader
        @JmsListener(id = "orders", destination = "orders")
        void on(String message) {}
    }

    static class NotEnabled {
        @WhileLeader
        @JmsListener(id = "orders", destination = "orders")
        void on(String message) {}
    }
}
