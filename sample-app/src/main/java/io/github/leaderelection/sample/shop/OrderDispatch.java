package io.github.leaderelection.sample.shop;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Sends orders to the warehouse. If two instances did this at the same time, every order would ship twice. */
@Component
class OrderDispatch {

    private final Warehouse warehouse;

    OrderDispatch(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    @Scheduled(fixedRate = 500)
    @LeaderOnly("orders")
    public void dispatch() {
        long fencingToken = Leadership.current().map(Leadership::fencingToken).orElseThrow();
        warehouse.ship(fencingToken);
    }
}
