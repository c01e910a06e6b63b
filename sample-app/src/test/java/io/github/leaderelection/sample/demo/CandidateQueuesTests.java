package io.github.leaderelection.sample.demo;

import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.sample.shop.ShopStatus;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CandidateQueuesTests {

    private static final ShopStatus STATUS = new ShopStatus(
            "shop-1",
            1,
            Instant.EPOCH,
            Instant.EPOCH,
            List.of(new ElectionInfo("orders", Role.FOLLOWER, null, null, null, 0, 0, 0, Map.of(), null)),
            List.of());

    @Test
    void continueAfterAFailure() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        ElectionEndpointClient failsOnce = new ElectionEndpointClient() {
            @Override
            CandidateQueue queue(URI replica, String election) {
                if (requests.incrementAndGet() == 1) {
                    throw new IllegalArgumentException("Not now");
                }
                return new CandidateQueue(List.of("shop-1"), null);
            }
        };
        try (Replicas replicas = UnreachableReplica.replicas(new History());
                CandidateQueues queues = new CandidateQueues(replicas, failsOnce)) {
            await().until(() -> {
                replicas.get(UnreachableReplica.NAME).statusReceived(STATUS);
                return queues.get("orders").candidates().equals(List.of("shop-1"));
            });
        }
    }
}
