package io.github.leaderelection.support;

import io.github.leaderelection.LeaderWork;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains a term that has ended: listeners are notified and return, and leader-only work ends. When the drain timeout
 * has elapsed, anything that is still running is interrupted, unless it may finish, and a hand-over no longer waits for
 * it. A later term may begin in the meantime, after all listeners have returned; its work is not drained here.
 */
final class Drain {

    private static final Logger log = LoggerFactory.getLogger(Drain.class);

    private final ElectionPublisher publisher;
    private final long term;
    private final @Nullable LeaderWork work;
    private final CompletableFuture<Void> heard = new CompletableFuture<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final AtomicBoolean done = new AtomicBoolean();
    private volatile boolean overran;
    private volatile @Nullable String busy;

    /**
     * @param term the last term whose work is waited for; it is over, and its revocation was published
     * @param work null if there was none
     */
    Drain(ElectionPublisher publisher, long term, @Nullable LeaderWork work) {
        this.publisher = publisher;
        this.term = term;
        this.work = work;
    }

    void begin(Listeners listeners, Delivery delivery) {
        var idle = new CompletableFuture<Void>();
        if (work == null) {
            idle.complete(null);
        } else {
            work.whenIdle(term, () -> idle.complete(null));
        }
        Runnable mark = listeners.afterwards(() -> {
            // First, because a hand-over waits for the drain.
            idle.thenRun(this::finish);
            heard.complete(null);
        });
        if (!done.get()) {
            Duration timeout = delivery.drainTimeout();
            delivery.timer().schedule(timeout, () -> overrun(timeout, listeners, mark));
        }
    }

    /** Completes when all listeners have returned, however long that takes. */
    CompletableFuture<Void> heard() {
        return heard;
    }

    /** Completes when listeners and work are done, or the timeout has elapsed. */
    CompletableFuture<Void> drained() {
        return drained;
    }

    /** The listeners that have not returned, if the timeout has elapsed; otherwise null. */
    @Nullable
    String busy() {
        return heard.isDone() ? null : busy;
    }

    private void overrun(Duration timeout, Listeners listeners, Runnable mark) {
        if (!done.get()) {
            // First, because the interrupts may end the last call at once.
            overran = true;
            List<String> calls = work == null ? List.of() : work.expire(term);
            List<String> callees = listeners.interruptBefore(mark);
            busy = callees.isEmpty() ? null : summary(callees);
            log.warn(
                    "Election '{}' was not drained within {} after the end of term {}, and is not waited for any more."
                            + " Running leader-only work: {}; busy listeners: {}",
                    publisher.election(),
                    timeout,
                    term,
                    summary(calls),
                    summary(callees));
            finish();
        }
    }

    private static String summary(List<String> names) {
        if (names.isEmpty()) {
            return "none";
        }
        var counts =
                names.stream().collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() == 1 ? entry.getKey() : entry.getKey() + " × " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private void finish() {
        if (done.compareAndSet(false, true)) {
            if (overran) {
                publisher.overran();
            }
            drained.complete(null);
        }
    }
}
