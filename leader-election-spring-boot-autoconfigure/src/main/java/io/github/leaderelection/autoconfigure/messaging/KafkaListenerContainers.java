package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.term.ListenerContainers;
import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/** The containers of listeners of Apache Kafka. */
final class KafkaListenerContainers implements ListenerContainers {

    private final ObjectProvider<KafkaListenerEndpointRegistry> registry;

    KafkaListenerContainers(ObjectProvider<KafkaListenerEndpointRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public String annotation() {
        return "@KafkaListener";
    }

    @Override
    public List<String> ids(AnnotatedElement element) {
        return ListenerIds.of(element, KafkaListener.class);
    }

    /** Those of {@code @RetryableTopic} too: the topics to which messages go that could not be handled. */
    @Override
    public Map<String, SmartLifecycle> find(String id) {
        Map<String, SmartLifecycle> found = new TreeMap<>();
        KafkaListenerEndpointRegistry containers = registry.getIfAvailable();
        if (containers != null) {
            containers
                    .getListenerContainersMatching((own, container) -> own.equals(id) || id.equals(mainId(container)))
                    .forEach(container -> found.put(container.getListenerId(), container));
        }
        return ListenerIds.require(found, annotation(), id);
    }

    private static @Nullable String mainId(MessageListenerContainer container) {
        return container instanceof AbstractMessageListenerContainer<?, ?> known ? known.getMainListenerId() : null;
    }

    @Override
    public void prepare(Lifecycle container, Duration drainTimeout) {
        if (container instanceof MessageListenerContainer listening) {
            listening.setAutoStartup(false);
            // Otherwise it would first handle all records of the last poll, which the next leader can poll again.
            listening.getContainerProperties().setStopImmediate(true);
        }
    }
}
