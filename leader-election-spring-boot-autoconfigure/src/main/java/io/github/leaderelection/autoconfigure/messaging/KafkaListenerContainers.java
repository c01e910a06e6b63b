package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.term.ListenerContainers;
import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
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

    @Override
    public SmartLifecycle take(String id, Duration drainTimeout) {
        KafkaListenerEndpointRegistry containers = registry.getIfAvailable();
        MessageListenerContainer container =
                ListenerIds.require(containers == null ? null : containers.getListenerContainer(id), annotation(), id);
        container.setAutoStartup(false);
        // Otherwise it would first handle all records of the last poll, which the next leader can poll again.
        container.getContainerProperties().setStopImmediate(true);
        return container;
    }
}
