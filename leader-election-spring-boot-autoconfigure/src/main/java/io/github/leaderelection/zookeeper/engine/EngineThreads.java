package io.github.leaderelection.zookeeper.engine;

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
public final class EngineThreads {

    private static final Logger log = LoggerFactory.getLogger(EngineThreads.class);
    private static final int FEW = 4;
    private static final int MANY = 64;

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named("election-timer"));
    private final ThreadFactory forSessions;
    private final ThreadPoolExecutor listeners;
    /** One object for all elections, of which there may be thousands. */
    private final Executor delivery = this::deliver;

    private long delivered;

    public EngineThreads() {
        this(named("election-listener"), named("election-session"));
    }

    /**
     * @param forListeners makes the threads on which events are delivered
     * @param forSessions makes those on which sessions are opened and closed
     */
    public EngineThreads(ThreadFactory forListeners, ThreadFactory forSessions) {
        this.forSessions = forSessions;
        listeners = new ThreadPoolExecutor(FEW, FEW, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), forListeners);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        listeners.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        listeners.allowCoreThreadTimeOut(true);
        timer.scheduleWithFixedDelay(this::watchOverListeners, 1, 1, TimeUnit.SECONDS);
    }

    private static ThreadFactory named(String name) {
        var count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** For what may block, and happens hardly ever. */
    public void startBlocking(Runnable task) {
        attempt(() -> forSessions.newThread(task).start());
    }

    public Executor listeners() {
        return delivery;
    }

    private void deliver(Runnable task) {
        attempt(() -> listeners.execute(task));
    }

    /** Threads may be had no more, at the limit of a container, and later again: until then what needs one waits. */
    private void attempt(Runnable start) {
        try {
            start.run();
        } catch (Throwable noThread) {
            log.error("Elections are held up, since no thread could be started; it is tried again", noThread);
            timer.schedule(() -> attempt(start), 1, TimeUnit.SECONDS);
        }
    }

    /** Times on the loop; after the stop nothing comes any more. */
    public Timers timers(Loop loop, Clock clock) {
        return (nanos, task) -> timer.schedule(() -> loop.execute(task), nanos - clock.nanos(), TimeUnit.NANOSECONDS);
    }

    /** Whatever goes wrong, it comes again. */
    private void watchOverListeners() {
        try {
            relieveListeners();
        } catch (Throwable noThread) {
            log.error("Slow listeners hold up others, since no thread could be started; it is tried again", noThread);
        }
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
    public void stop() {
        timer.shutdown();
        listeners.shutdown();
    }
}
