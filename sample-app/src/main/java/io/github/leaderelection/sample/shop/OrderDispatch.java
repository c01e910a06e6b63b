package io.github.leaderelection.sample.shop;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Hands orders to the warehouse. Two instances at once would ship everything twice. */
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
