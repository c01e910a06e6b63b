package io.github.leaderelection.docs;

import io.github.leaderelection.event.OnGrantedEvent;
import io.github.leaderelection.event.OnRevokedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class OrderConsumer {

    private final OrderQueue queue;

    OrderConsumer(OrderQueue queue) {
        this.queue = queue;
    }

    @EventListener(condition = "#event.election.name() == 'orders'")
    void start(OnGrantedEvent event) {
        queue.subscribe(this::ship);
    }

    @EventListener(condition = "#event.election.name() == 'orders'")
    void stop(OnRevokedEvent event) {
        queue.unsubscribe();
    }

    boolean isRunning() {
        return queue.isSubscribed();
    }

    private void ship(String order) {}
}
