package io.github.leaderelection.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs something once, some time later, on a daemon thread of its own: those of the common pool may be busy with the very
 * work that is waited for.
 */
public final class Later {

    private Later() {}

    /** Runs the task after that time, however long it is. */
    public static void run(Duration delay, Runnable task) {
        CompletableFuture.delayedExecutor(TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS, Later::startThread)
                .execute(task);
    }

    private static void startThread(Runnable task) {
        Thread thread = new Thread(task, "election-later");
        thread.setDaemon(true);
        thread.start();
    }
}
