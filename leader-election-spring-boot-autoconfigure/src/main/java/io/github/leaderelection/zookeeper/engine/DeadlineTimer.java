package io.github.leaderelection.zookeeper.engine;

/** Runs a task once, at the earliest of the times for which it was set; then it can be set again. */
final class DeadlineTimer {

    private static final long NEVER = 0;

    private final Timers timers;
    private final Runnable task;
    private long due = NEVER;

    DeadlineTimer(Timers timers, Runnable task) {
        this.timers = timers;
        this.task = task;
    }

    void noLaterThan(long nanos) {
        if (due == NEVER || nanos - due < 0) {
            due = nanos;
            timers.at(nanos, () -> ring(nanos));
        }
    }

    private void ring(long nanos) {
        if (nanos == due) {
            due = NEVER;
            task.run();
        }
    }
}
