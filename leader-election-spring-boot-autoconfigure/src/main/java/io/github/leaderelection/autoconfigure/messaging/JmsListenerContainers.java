package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.term.ListenerContainers;
import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.listener.AbstractJmsListeningContainer;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.MessageListenerContainer;

/** The containers of listeners of JMS brokers. */
final class JmsListenerContainers implements ListenerContainers {

    private final ObjectProvider<JmsListenerEndpointRegistry> registry;

    JmsListenerContainers(ObjectProvider<JmsListenerEndpointRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public String annotation() {
        return "@JmsListener";
    }

    @Override
    public List<String> ids(AnnotatedElement element) {
        return ListenerIds.of(element, JmsListener.class);
    }

    @Override
    public Map<String, SmartLifecycle> find(String id) {
        JmsListenerEndpointRegistry containers = registry.getIfAvailable();
        MessageListenerContainer container = containers == null ? null : containers.getListenerContainer(id);
        return ListenerIds.require(container == null ? Map.of() : Map.of(id, container), annotation(), id);
    }

    @Override
    public void prepare(Lifecycle container, Duration drainTimeout) {
        if (container instanceof AbstractJmsListeningContainer listening) {
            listening.setAutoStartup(false);
        }
        if (container instanceof DefaultMessageListenerContainer polling && !polling.isSessionTransacted()) {
            // A message that the container rejects while stopping may have been acknowledged on receipt.
            polling.setAcceptMessagesWhileStopping(true);
        }
    }
}
