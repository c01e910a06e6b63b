package io.github.leaderelection.sample.shop;

import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatusStreamTests {

    private final StatusStream stream = new StatusStream();
    private final AtomicInteger requests = new AtomicInteger();

    @AfterEach
    void stop() {
        stream.stop();
    }

    @Test
    void continuesAfterAFailure() {
        stream.open(() -> {
            if (requests.incrementAndGet() == 1) {
                throw new IllegalStateException("Not now");
            }
            return new ShopStatus("shop-1", 1, Instant.now(), Instant.now(), List.of(), List.of());
        });
        stream.start();
        await().until(() -> requests.get() >= 3);
    }
}
