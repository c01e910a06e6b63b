package io.github.leaderelection.docs;

import io.github.leaderelection.LeaderOnly;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
class DailyReport {

    private final AtomicInteger sent = new AtomicInteger();

    @Scheduled(fixedDelay = 10, timeUnit = TimeUnit.SECONDS)
    @LeaderOnly("reports")
    void send() {
        sent.incrementAndGet();
    }

    int sent() {
        return sent.get();
    }
}
