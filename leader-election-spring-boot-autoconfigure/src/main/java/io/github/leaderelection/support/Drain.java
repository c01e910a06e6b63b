package io.github.leaderelection.support;

import io.github.leaderelection.LeaderWork;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What lies between the end of a term and the hand-over: listeners hear of it, and leader-only work ends. */
public final class Drain {

    private static final Logger log = LoggerFactory.getLogger(Drain.class);

    private Drain() {}

    /** Runs something later, whatever else is running. */
    public interface Delay {
        void after(Duration delay, Runnable task);
    }

    /**
     * Begins to drain; the term is over, and its end has been told. Work of later terms is none of its business: one may
     * begin before this ends.
     *
     * @param term the last term whose work is waited for
     * @param whenDrained called once, on any thread, with whether the timeout was over before that
     */
    public static void begin(
            String election,
            Listeners listeners,
            LeaderWork work,
            long term,
            Duration timeout,
            Delay delay,
            Consumer<Boolean> whenDrained) {
        var heard = new CompletableFuture<Boolean>();
        var idle = new CompletableFuture<Boolean>();
        var overdue = new AtomicBoolean();
        var drained = new CompletableFuture<Boolean>();
        drained.thenAccept(whenDrained);
        heard.runAfterBoth(idle, () -> drained.complete(overdue.get()));
        listeners.afterwards(() -> heard.complete(true));
        work.whenIdle(term, () -> idle.complete(true));
        if (!drained.isDone()) {
            delay.after(timeout, () -> {
                if (!drained.isDone()) {
                    // First: what is interrupted may end at once.
                    overdue.set(true);
                    int calls = work.interrupt(term);
                    warn(election, timeout, calls, heard.isDone());
                    drained.complete(true);
                }
            });
        }
    }

    private static void warn(String election, Duration timeout, int calls, boolean heard) {
        log.warn(
                "Election '{}' has not drained within {}: {} leader-only calls were still running{}. It goes on without them",
                election,
                timeout,
                calls,
                heard ? "" : ", a listener still busy");
    }
}
