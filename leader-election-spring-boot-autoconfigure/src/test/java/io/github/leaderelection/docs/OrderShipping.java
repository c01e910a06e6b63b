package io.github.leaderelection.docs;

import io.github.leaderelection.WhileLeader;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
class OrderShipping {

    private final Warehouse warehouse;

    OrderShipping(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    @WhileLeader("orders")
    @KafkaListener(id = "orders", topics = "orders")
    void ship(String order) {
        warehouse.ship(order);
    }

    /** Where the orders go. */
    interface Warehouse {
        void ship(String order);
    }
}
