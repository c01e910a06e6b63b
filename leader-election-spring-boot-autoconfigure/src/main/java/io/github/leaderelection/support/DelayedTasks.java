package io.github.leaderelection.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task once after a delay, on a daemon thread of its own: the threads of the common pool may be busy with the very
 * work that the task is about to interrupt.
 */
public final class DelayedTasks {

    private static final Logger log = LoggerFactory.getLogger(DelayedTasks.class);

    private DelayedTasks() {}

    public static void run(Duration delay, Runnable task) {
        run(delay, task, DelayedTasks::daemon);
    }

    static void run(Duration delay, Runnable task, ThreadFactory threads) {
        CompletableFuture.delayedExecutor(
                        TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS, due -> startOrRetry(due, threads))
                .execute(task);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "election-later");
        thread.setDaemon(true);
        return thread;
    }

    private static void startOrRetry(Runnable task, ThreadFactory threads) {
        try {
            threads.newThread(task).start();
        } catch (Throwable noThread) {
            log.error("Elections are delayed because no thread could be started; retrying in a second", noThread);
            run(Duration.ofSeconds(1), task, threads);
        }
    }
}
