package io.github.leaderelection.sample.demo;

import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.sample.shop.ShopStatus;
import io.github.leaderelection.sample.shop.ShopStatus.Standing;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class QueuesTests {

    private static final ShopStatus STATUS = new ShopStatus(
            "shop-1",
            1,
            Instant.EPOCH,
            Instant.EPOCH,
            List.of(new Standing("orders", Role.FOLLOWER, null, null, null, 0, 0, 0, null)),
            List.of());

    @Test
    void goOnAfterAFailure() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        Actuator failsAtFirst = new Actuator() {
            @Override
            List<String> queue(URI replica, String election) {
                if (asked.incrementAndGet() == 1) {
                    throw new IllegalArgumentException("Not now");
                }
                return List.of("shop-1");
            }
        };
        try (Replicas replicas = Watched.replicas(new Story());
                Queues queues = new Queues(replicas, failsAtFirst)) {
            await().until(() -> {
                replicas.get(Watched.NAME).seen(STATUS);
                return queues.of("orders").equals(List.of("shop-1"));
            });
        }
    }
}
