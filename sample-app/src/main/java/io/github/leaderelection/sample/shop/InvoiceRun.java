package io.github.leaderelection.sample.shop;

import io.github.leaderelection.LeaderOnly;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Sends the invoices. */
@Component
class InvoiceRun {

    private final AtomicLong invoices = new AtomicLong();

    @Scheduled(fixedRate = 1_000)
    @LeaderOnly("billing")
    public void send() {
        invoices.incrementAndGet();
    }

    long invoices() {
        return invoices.get();
    }
}
