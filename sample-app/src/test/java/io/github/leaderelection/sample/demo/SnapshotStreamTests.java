package io.github.leaderelection.sample.demo;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SnapshotStreamTests {

    @Test
    void continuesAfterAFailure() {
        AtomicInteger requests = new AtomicInteger();
        DemoSnapshotFactory broken = new DemoSnapshotFactory(null, null, null, null, null) {
            @Override
            DemoSnapshot create() {
                requests.incrementAndGet();
                throw new IllegalArgumentException("Not now");
            }
        };
        try (SnapshotStream stream = new SnapshotStream(broken)) {
            stream.open();
            await().until(() -> requests.get() >= 2);
        }
    }
}
