package io.github.leaderelection.zookeeper;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one connection's elections, whatever their number: one that keeps the time, and a few for listeners.
 * More are added only while slow listeners occupy all of them.
 */
final class Threads {

    private static final Logger log = LoggerFactory.getLogger(Threads.class);
    private static final int FEW = 4;
    private static final int MANY = 64;

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named("election-timer"));
    private final ThreadPoolExecutor listeners;
    /** One object for all elections, of which there may be thousands. */
    private final Executor delivery = this::deliver;

    private long delivered;

    Threads() {
        this(named("election-listener"));
    }

    /** @param forListeners makes the threads on which events are delivered */
    Threads(ThreadFactory forListeners) {
        listeners = new ThreadPoolExecutor(FEW, FEW, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), forListeners);
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        listeners.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        listeners.allowCoreThreadTimeOut(true);
        timer.scheduleWithFixedDelay(this::relieveListeners, 1, 1, TimeUnit.SECONDS);
    }

    private static ThreadFactory named(String name) {
        var count = new AtomicInteger();
        return task -> daemon(task, name + "-" + count.incrementAndGet());
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** For what may block, and happens hardly ever. */
    static void startBlocking(Runnable task) {
        daemon(task, "election-session").start();
    }

    Executor listeners() {
        return delivery;
    }

    /** Threads may be had no more, at the limit of a container, and later again: until then events wait. */
    private void deliver(Runnable task) {
        try {
            listeners.execute(task);
        } catch (Throwable noThread) {
            log.error("Events of elections are delivered later, since no thread could be started", noThread);
            timer.schedule(() -> deliver(task), 1, TimeUnit.SECONDS);
        }
    }

    /** Times on the loop; after the stop nothing comes any more. */
    Timers timers(Loop loop, Clock clock) {
        return (nanos, task) -> timer.schedule(() -> loop.execute(task), nanos - clock.nanos(), TimeUnit.NANOSECONDS);
    }

    private void relieveListeners() {
        long now = listeners.getCompletedTaskCount();
        boolean stuck = !listeners.getQueue().isEmpty() && now == delivered;
        int size = listeners.getCorePoolSize();
        if (stuck && size < MANY) {
            listeners.setMaximumPoolSize(size + 1);
            listeners.setCorePoolSize(size + 1);
        } else if (listeners.getActiveCount() < FEW && size > FEW) {
            listeners.setCorePoolSize(FEW);
            listeners.setMaximumPoolSize(FEW);
        }
        delivered = now;
    }

    /** Ends the threads; events that are on their way are still delivered. */
    void stop() {
        timer.shutdown();
        listeners.shutdown();
    }
}
