package io.github.leaderelection.support;

import io.github.leaderelection.LeaderWork;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits, between the end of a term and its hand-over, until listeners have heard of the revocation and leader-only work has
 * ended; at most for the drain timeout. A later term may begin meanwhile, and its work does not matter here.
 */
final class Drain implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(Drain.class);

    private final ElectionPublisher publisher;
    private final long term;
    private final @Nullable LeaderWork work;
    private final Runnable whenDrained;
    /** The listeners and the work. */
    private final AtomicInteger pending = new AtomicInteger(2);

    private final AtomicBoolean done = new AtomicBoolean();
    private volatile boolean overran;

    /**
     * @param term the last term whose work is waited for; it is over, and its revocation was published
     * @param work null if there was none
     * @param whenDrained called once, on any thread
     */
    Drain(ElectionPublisher publisher, long term, @Nullable LeaderWork work, Runnable whenDrained) {
        this.publisher = publisher;
        this.term = term;
        this.work = work;
        this.whenDrained = whenDrained;
    }

    void begin(Listeners listeners, Delivery delivery) {
        listeners.afterwards(this);
        if (work == null) {
            run();
        } else {
            work.whenIdle(term, this);
        }
        if (!done.get()) {
            Duration timeout = delivery.drainTimeout();
            delivery.timer().schedule(timeout, () -> overrun(timeout));
        }
    }

    /** Called when the listeners are done, and when the work is. */
    @Override
    public void run() {
        if (pending.decrementAndGet() == 0) {
            finish();
        }
    }

    private void overrun(Duration timeout) {
        if (!done.get()) {
            int unfinished = pending.get();
            // First, because the interrupt may end the last call at once.
            overran = true;
            int calls = work == null ? 0 : work.interrupt(term);
            log.warn(
                    "Election '{}' was not drained within {}: {} leader-only calls were running{}. They are not waited for",
                    publisher.election(),
                    timeout,
                    calls,
                    unfinished > (calls == 0 ? 0 : 1) ? ", a listener was busy" : "");
            finish();
        }
    }

    private void finish() {
        if (done.compareAndSet(false, true)) {
            if (overran) {
                publisher.overran();
            }
            whenDrained.run();
        }
    }
}
