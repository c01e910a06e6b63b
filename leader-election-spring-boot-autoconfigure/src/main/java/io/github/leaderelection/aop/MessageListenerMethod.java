package io.github.leaderelection.aop;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Recognises methods that receive messages from a broker, which considers a message handled when they return. */
final class MessageListenerMethod {

    /** A name, because the class may be absent. Meta-annotation of most annotations of listeners. */
    private static final String MESSAGE_MAPPING = "org.springframework.messaging.handler.annotation.MessageMapping";

    private static final Set<String> OTHERS = Set.of(
            "io.awspring.cloud.sqs.annotation.SqsListener",
            "io.awspring.cloud.messaging.listener.annotation.SqsListener",
            "org.springframework.cloud.stream.annotation.StreamListener",
            "org.springframework.pulsar.annotation.PulsarListener",
            "org.springframework.pulsar.reactive.config.annotation.ReactivePulsarListener",
            "org.springframework.integration.annotation.ServiceActivator");

    private MessageListenerMethod() {}

    /** The name of the annotation that makes the method a listener of messages; searches as Spring does. */
    static Optional<String> annotation(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream()
                .filter(MessageListenerMethod::isListener)
                .map(annotation -> annotation.getRoot().getType().getSimpleName())
                .findFirst();
    }

    private static boolean isListener(MergedAnnotation<?> annotation) {
        String name = annotation.getType().getName();
        return name.equals(MESSAGE_MAPPING) && annotation.isMetaPresent() || OTHERS.contains(name);
    }
}
