package io.github.leaderelection.support;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * How an election calls code of the application.
 *
 * @param candidateId returns the candidate's id; called after this process was nominated
 * @param listeners calls listeners, which may block
 * @param callbacks runs short callbacks of monitors and of leader-only work; never while a lock is held
 * @param drainTimeout how long a hand-over waits for listeners and leader-only work
 * @param timer must not depend on threads that leader-only work may occupy
 */
public record Delivery(
        Supplier<String> candidateId, Executor listeners, Executor callbacks, Duration drainTimeout, Timer timer) {

    public Delivery withDrainTimeout(Duration timeout) {
        return timeout.equals(drainTimeout) ? this : new Delivery(candidateId, listeners, callbacks, timeout, timer);
    }

    /** Runs a task once, after a delay. */
    public interface Timer {
        void schedule(Duration delay, Runnable task);
    }
}
