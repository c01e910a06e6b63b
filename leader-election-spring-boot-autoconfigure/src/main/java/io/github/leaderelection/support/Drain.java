package io.github.leaderelection.support;

import io.github.leaderelection.LeaderWork;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What lies between the end of a term and the hand-over: listeners hear of it, and leader-only work ends. */
public final class Drain {

    private static final Logger log = LoggerFactory.getLogger(Drain.class);

    private Drain() {}

    /**
     * Begins to drain; the term is over, and its end has been told.
     *
     * @param whenDrained called once, on any thread, with the number of calls that had to be interrupted because the
     *     timeout was over
     */
    public static void begin(
            String election, Listeners listeners, LeaderWork work, Duration timeout, IntConsumer whenDrained) {
        var heard = new CompletableFuture<Boolean>();
        var idle = new CompletableFuture<Boolean>();
        listeners.afterwards(() -> heard.complete(true));
        work.whenIdle(() -> idle.complete(true));
        var unused = CompletableFuture.allOf(heard, idle)
                .orTimeout(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)
                .handle((done, overrun) -> overrun == null ? 0 : interrupt(election, heard.isDone(), work, timeout))
                .thenAccept(whenDrained::accept);
    }

    private static int interrupt(String election, boolean heard, LeaderWork work, Duration timeout) {
        int calls = work.interrupt();
        log.warn(
                "Election '{}' is handed over though it has not drained within {}: {} leader-only calls interrupted{}",
                election,
                timeout,
                calls,
                heard ? "" : ", a listener still busy");
        return calls;
    }
}
