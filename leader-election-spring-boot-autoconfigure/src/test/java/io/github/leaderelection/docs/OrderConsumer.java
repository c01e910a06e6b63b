package io.github.leaderelection.docs;

import io.github.leaderelection.event.OnGrantedEvent;
import io.github.leaderelection.event.OnRevokedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class OrderConsumer {

    private volatile boolean running;

    @EventListener(condition = "#event.election.name() == 'orders'")
    void start(OnGrantedEvent event) {
        running = true;
    }

    @EventListener(condition = "#event.election.name() == 'orders'")
    void stop(OnRevokedEvent event) {
        running = false;
    }

    boolean isRunning() {
        return running;
    }
}
