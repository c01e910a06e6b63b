package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.term.ListenerContainers;
import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/** The containers of listeners of RabbitMQ. */
final class RabbitListenerContainers implements ListenerContainers {

    private final ObjectProvider<RabbitListenerEndpointRegistry> registry;

    RabbitListenerContainers(ObjectProvider<RabbitListenerEndpointRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public String annotation() {
        return "@RabbitListener";
    }

    @Override
    public List<String> ids(AnnotatedElement element) {
        return ListenerIds.of(element, RabbitListener.class);
    }

    @Override
    public Map<String, SmartLifecycle> find(String id) {
        RabbitListenerEndpointRegistry containers = registry.getIfAvailable();
        MessageListenerContainer container = containers == null ? null : containers.getListenerContainer(id);
        return ListenerIds.require(container == null ? Map.of() : Map.of(id, container), annotation(), id);
    }

    @Override
    public void prepare(Lifecycle container, Duration drainTimeout) {
        if (container instanceof AbstractMessageListenerContainer listening) {
            listening.setAutoStartup(false);
            // Otherwise it would first handle all prefetched messages.
            listening.setForceStop(true);
            // Its own limit would end the stop although a message is still being handled.
            listening.setShutdownTimeout(drainTimeout.toMillis());
        }
    }
}
