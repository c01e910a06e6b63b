package io.github.leaderelection.zookeeper.engine;

/** Runs a task once, at the earliest of the times for which it was set; then it can be set again. */
final class DeadlineTimer {

    private static final long NEVER = 0;

    private final Engine engine;
    private final Runnable task;
    private long due = NEVER;

    DeadlineTimer(Engine engine, Runnable task) {
        this.engine = engine;
        this.task = task;
    }

    void within(long millis) {
        noLaterThan(engine.clock.nanos() + millis * 1_000_000);
    }

    void noLaterThan(long nanos) {
        if (due == NEVER || nanos - due < 0) {
            due = nanos;
            engine.timers.at(nanos, new Ring(this, nanos));
        }
    }

    /** Does nothing if the timer was set to an earlier time after this one. */
    private record Ring(DeadlineTimer timer, long nanos) implements Runnable {
        @Override
        public void run() {
            if (nanos == timer.due) {
                timer.due = NEVER;
                timer.task.run();
            }
        }
    }
}
