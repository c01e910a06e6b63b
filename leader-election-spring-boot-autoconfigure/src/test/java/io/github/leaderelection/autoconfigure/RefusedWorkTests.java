package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.awspring.cloud.sqs.annotation.SqsListener;
import io.github.leaderelection.Election;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.aop.NonNullJob;
import io.github.leaderelection.aop.NonNullSuspendingJob;
import io.github.leaderelection.autoconfigure.messaging.MessageListenerAutoConfiguration;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.stream.annotation.StreamListener;
import org.springframework.context.ApplicationListener;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Component;

/** What is refused at startup, because it would not do what it says, prints a description and what to do instead. */
@ExtendWith(OutputCaptureExtension.class)
class RefusedWorkTests {

    private static final String LOST = "acknowledge messages without handling them";
    private static final String WHILE_LEADER = "Use @WhileLeader instead";
    private static final String LIFECYCLE = "Write a Lifecycle bean that starts and stops its container";
    private static final String ON_CLASS = "Annotate the class with @WhileLeader instead";
    private static final String ON_REVOKED = "in a listener of OnRevokedEvent";
    private static final String WITH_TERM = "Annotate the bean with @WhileLeader";
    private static final String NULLABLE = "Make the type nullable (String?), or use @LeaderOnly(otherwise = THROW)";
    private static final String OVERRIDABLE = "Make it a public method that is neither static nor final";

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(OnKafka.class, "OnKafka.on()", LOST, WHILE_LEADER),
                Arguments.of(OnRabbit.class, "OnRabbit.on()", LOST, WHILE_LEADER),
                Arguments.of(OnJms.class, "OnJms.on()", LOST, WHILE_LEADER),
                Arguments.of(OnSqs.class, "OnSqs.on()", LOST, LIFECYCLE),
                Arguments.of(OnStream.class, "OnStream.on()", LOST, LIFECYCLE),
                Arguments.of(OnHandler.class, "OnHandler.on()", LOST, ON_CLASS),
                Arguments.of(WholeClassOnJms.class, "WholeClassOnJms.on()", LOST, WHILE_LEADER),
                Arguments.of(AtPreDestroy.class, "AtPreDestroy.end()", "when the bean is destroyed", ON_REVOKED),
                Arguments.of(AtDestroy.class, "AtDestroy.destroy()", "when the bean is destroyed", ON_REVOKED),
                Arguments.of(AtClose.class, "AtClose.close()", "when the bean is destroyed", ON_REVOKED),
                Arguments.of(AtStart.class, "AtStart.start()", "when the application starts or stops", WITH_TERM),
                Arguments.of(AtStop.class, "AtStop.stop()", "when the application starts or stops", WITH_TERM),
                Arguments.of(
                        AtStopWithCallback.class,
                        "AtStopWithCallback.stop()",
                        "when the application starts or stops",
                        WITH_TERM),
                Arguments.of(OnContextClosed.class, "OnContextClosed.on()", "when the application stops", ON_REVOKED),
                Arguments.of(
                        ListenerOfContextClosed.class,
                        "ListenerOfContextClosed.onApplicationEvent()",
                        "when the application stops",
                        ON_REVOKED),
                Arguments.of(NonNullJob.class, "NonNullJob.job()", "not nullable in Kotlin", NULLABLE),
                Arguments.of(
                        NonNullSuspendingJob.class, "NonNullSuspendingJob.job()", "not nullable in Kotlin", NULLABLE),
                Arguments.of(
                        AwaitsTooEarly.class,
                        "has not joined election 'orders' yet",
                        "it joins its elections when it is ready (ApplicationReadyEvent)",
                        "in a listener of OnGrantedEvent"),
                Arguments.of(
                        ForUnknown.class,
                        "@WhileLeader(\"refunds\")",
                        "ForUnknown.run()",
                        "leader-election.elections.refunds"),
                Arguments.of(PrivateMethod.class, "PrivateMethod.run()", "it is private", OVERRIDABLE),
                Arguments.of(StaticMethod.class, "StaticMethod.run()", "it is static", OVERRIDABLE),
                Arguments.of(FinalMethod.class, "FinalMethod.run()", "it is final", OVERRIDABLE),
                Arguments.of(
                        WithParameter.class,
                        "WithParameter.run()",
                        "no value for its parameters",
                        "Declare no parameter, or one of type Leadership"),
                Arguments.of(
                        NoLifecycle.class,
                        "NoLifecycle",
                        "it does not implement Lifecycle",
                        "Implement org.springframework.context.Lifecycle"),
                Arguments.of(
                        StartsByItself.class,
                        "StartsByItself",
                        "starts with the application",
                        "Let isAutoStartup() return false"),
                Arguments.of(
                        StartsItself.class,
                        "startsItself' is @WhileLeader",
                        "was started with the application, on every instance",
                        "Do not start it in a constructor or an initialization method"),
                Arguments.of(
                        InAsyncClass.class,
                        "InAsyncClass.run()",
                        "its class is @Async",
                        "Move the method to a class that is not @Async"),
                Arguments.of(HandlerForTerm.class, "HandlerForTerm.on()", "it is a @KafkaHandler", ON_CLASS),
                Arguments.of(SqsForTerm.class, "SqsForTerm.on()", "it is a @SqsListener", LIFECYCLE),
                Arguments.of(
                        KafkaWithoutId.class,
                        "KafkaWithoutId.on()",
                        "@KafkaListener has no id",
                        "Add an id: @KafkaListener(id = \"orders\""),
                Arguments.of(
                        RabbitWithoutId.class,
                        "RabbitWithoutId.on()",
                        "@RabbitListener has no id",
                        "Add an id: @RabbitListener(id = \"orders\""),
                Arguments.of(
                        JmsWithoutId.class,
                        "JmsWithoutId.on()",
                        "@JmsListener has no id",
                        "Add an id: @JmsListener(id = \"orders\""));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void printsDescriptionAndAction(Class<?> bean, String what, String why, String instead, CapturedOutput output) {
        try (var instances = new Instances("leader-election.mode=local", "leader-election.elections.orders=")
                .with(Brokers.class, bean)) {
            assertThatThrownBy(instances::start).isNotNull();
        }
        String report = output.getAll().substring(output.getAll().indexOf("APPLICATION FAILED TO START"));
        int action = report.indexOf("Action:");
        assertThat(report.substring(report.indexOf("Description:"), action)).contains(what, why);
        assertThat(report.substring(action)).contains(instead);
    }

    @ImportAutoConfiguration(MessageListenerAutoConfiguration.class)
    static class Brokers {}

    static class OnKafka {
        @KafkaListener(id = "orders", topics = "orders")
        @LeaderOnly("orders")
        public void on(String message) {}
    }

    static class OnRabbit {
        @RabbitListener(id = "orders", queues = "orders")
        @LeaderOnly("orders")
        public void on(String message) {}
    }

    static class OnJms {
        @JmsListener(id = "orders", destination = "orders")
        @LeaderOnly("orders")
        public void on(String message) {}
    }

    static class OnSqs {
        @SqsListener
        @LeaderOnly("orders")
        public void on(String message) {}
    }

    static class OnStream {
        @StreamListener
        @LeaderOnly("orders")
        public void on(String message) {}
    }

    @KafkaListener(id = "orders", topics = "orders")
    static class OnHandler {
        @KafkaHandler
        @LeaderOnly("orders")
        public void on(String message) {}
    }

    @LeaderOnly("orders")
    static class WholeClassOnJms {
        @JmsListener(id = "orders", destination = "orders")
        public void on(String message) {}
    }

    static class AtPreDestroy {
        @PreDestroy
        @LeaderOnly("orders")
        public void end() {}
    }

    static class AtDestroy implements DisposableBean {
        @Override
        @LeaderOnly("orders")
        public void destroy() {}
    }

    static class AtClose implements AutoCloseable {
        @Override
        @LeaderOnly("orders")
        public void close() {}
    }

    static class Service implements Lifecycle {
        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    static class AtStart extends Service {
        @Override
        @LeaderOnly("orders")
        public void start() {}
    }

    static class AtStop extends Service {
        @Override
        @LeaderOnly("orders")
        public void stop() {}
    }

    static class AtStopWithCallback extends Service implements SmartLifecycle {
        @Override
        @LeaderOnly("orders")
        public void stop(Runnable callback) {
            callback.run();
        }
    }

    static class OnContextClosed {
        @EventListener(ContextClosedEvent.class)
        @LeaderOnly("orders")
        public void on() {}
    }

    @LeaderOnly("orders")
    static class ListenerOfContextClosed implements ApplicationListener<ContextClosedEvent> {
        @Override
        public void onApplicationEvent(ContextClosedEvent event) {}
    }

    record AwaitsTooEarly(Election election) implements CommandLineRunner {
        @Override
        public void run(String... arguments) throws InterruptedException {
            election.awaitLeadership(Duration.ofMinutes(1));
        }
    }

    static class ForUnknown {
        @WhileLeader("refunds")
        public void run() {}
    }

    static class PrivateMethod {
        @WhileLeader("orders")
        private void run() {}
    }

    static class StaticMethod {
        @WhileLeader("orders")
        public static void run() {}
    }

    static class FinalMethod {
        @WhileLeader("orders")
        public final void run() {}
    }

    static class WithParameter {
        @WhileLeader("orders")
        public void run(String text) {}
    }

    @WhileLeader("orders")
    static class NoLifecycle {}

    @WhileLeader("orders")
    static class StartsByItself extends Service implements SmartLifecycle {}

    static class KafkaWithoutId {
        @WhileLeader("orders")
        @KafkaListener(topics = "orders")
        void on(String message) {}
    }

    static class RabbitWithoutId {
        @WhileLeader("orders")
        @RabbitListener(queues = "orders")
        void on(String message) {}
    }

    static class JmsWithoutId {
        @WhileLeader("orders")
        @JmsListener(destination = "orders")
        void on(String message) {}
    }

    @Component("startsItself")
    @WhileLeader("orders")
    static class StartsItself extends Service implements InitializingBean {

        private boolean running;

        @Override
        public void afterPropertiesSet() {
            running = true;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    @Async
    static class InAsyncClass {
        @WhileLeader("orders")
        public void run() {}
    }

    @KafkaListener(id = "orders", topics = "orders")
    static class HandlerForTerm {
        @KafkaHandler
        @WhileLeader("orders")
        public void on(String message) {}
    }

    static class SqsForTerm {
        @SqsListener
        @WhileLeader("orders")
        public void on(String message) {}
    }
}
