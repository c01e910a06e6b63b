package io.github.leaderelection.sample.shop;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.WhileLeader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/** Consumes orders for as long as this instance leads. The queue stands in for a message broker. */
@Component
class OrderIntake {

    private final BlockingQueue<Long> queue = new LinkedBlockingQueue<>();
    private final AtomicLong accepted = new AtomicLong();

    /** Called once per term, and interrupted when the term is over. */
    @WhileLeader("orders")
    void consume(Leadership term) throws InterruptedException {
        while (term.isValid()) {
            if (queue.poll(1, TimeUnit.SECONDS) != null) {
                accepted.incrementAndGet();
            }
        }
    }

    void place(long order) {
        queue.add(order);
    }

    long accepted() {
        return accepted.get();
    }
}
