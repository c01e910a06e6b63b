package io.github.leaderelection.aop;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Recognises methods that receive messages from a broker, which considers a message handled when they return. */
public final class MessageListenerMethod {

    /** A name, because the class may be absent. Meta-annotation of most annotations of listeners. */
    private static final String MESSAGE_MAPPING = "org.springframework.messaging.handler.annotation.MessageMapping";

    private static final Set<String> OTHERS = Set.of(
            "io.awspring.cloud.sqs.annotation.SqsListener",
            "io.awspring.cloud.messaging.listener.annotation.SqsListener",
            "org.springframework.cloud.stream.annotation.StreamListener",
            "org.springframework.pulsar.annotation.PulsarListener",
            "org.springframework.pulsar.reactive.config.annotation.ReactivePulsarListener",
            "org.springframework.integration.annotation.ServiceActivator");

    /** Names again, of those whose containers {@code @WhileLeader} starts and stops. */
    private static final Set<String> RUN_FOR_TERM = Set.of(
            "org.springframework.kafka.annotation.KafkaListener",
            "org.springframework.amqp.rabbit.annotation.RabbitListener",
            "org.springframework.jms.annotation.JmsListener");

    private static final Set<String> HANDLERS = Set.of(
            "org.springframework.kafka.annotation.KafkaHandler",
            "org.springframework.amqp.rabbit.annotation.RabbitHandler");

    private MessageListenerMethod() {}

    /** The name of the annotation that makes the method a listener of messages; searches as Spring does. */
    public static Optional<String> annotation(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream()
                .filter(MessageListenerMethod::isListener)
                .map(annotation -> annotation.getRoot().getType().getSimpleName())
                .findFirst();
    }

    /** What to do so that a listener receives messages only while this instance leads. */
    public static String alternative(Method method) {
        if (isAnyPresent(method, RUN_FOR_TERM)) {
            return "Use @WhileLeader instead, which receives messages only while this instance leads";
        }
        if (isAnyPresent(method, HANDLERS)) {
            return "Annotate the class with @WhileLeader instead, so that it receives messages only while this instance leads";
        }
        return "Write a Lifecycle bean that starts and stops its container, and annotate that bean with @WhileLeader";
    }

    private static boolean isAnyPresent(Method method, Set<String> annotations) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream()
                .anyMatch(
                        annotation -> annotations.contains(annotation.getType().getName()));
    }

    private static boolean isListener(MergedAnnotation<?> annotation) {
        String name = annotation.getType().getName();
        return name.equals(MESSAGE_MAPPING) && annotation.isMetaPresent() || OTHERS.contains(name);
    }
}
