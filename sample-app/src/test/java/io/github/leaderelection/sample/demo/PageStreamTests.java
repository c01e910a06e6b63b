package io.github.leaderelection.sample.demo;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PageStreamTests {

    @Test
    void goesOnAfterAFailure() {
        AtomicInteger asked = new AtomicInteger();
        Scene broken = new Scene(null, null, null, null, null) {
            @Override
            Picture picture() {
                asked.incrementAndGet();
                throw new IllegalArgumentException("Not now");
            }
        };
        try (PageStream stream = new PageStream(broken)) {
            stream.open();
            await().until(() -> asked.get() >= 2);
        }
    }
}
