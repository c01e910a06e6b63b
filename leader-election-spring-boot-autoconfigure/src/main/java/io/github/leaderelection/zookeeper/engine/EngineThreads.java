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
 * The threads of one connection's elections, however many these are: one for the timers, and a few for listeners. More are
 * added only while slow listeners occupy all of them.
 */
public final class EngineThreads {

    private static final Logger log = LoggerFactory.getLogger(EngineThreads.class);
    private static final int FEW = 4;
    private static final int MANY = 64;

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named("election-timer"));
    private final ThreadFactory forSessions;
    private final ThreadPoolExecutor listeners;
    private long delivered;

    public EngineThreads() {
        this(named("election-listener"), named("election-session"));
    }

    /**
     * @param forListeners creates the threads that deliver events
     * @param forSessions creates the threads that open and close sessions
     */
    EngineThreads(ThreadFactory forListeners, ThreadFactory forSessions) {
        this.forSessions = forSessions;
        listeners = new ThreadPoolExecutor(FEW, FEW, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), forListeners);
        // More threads than the core are never started while the queue has room: the core itself grows up to this.
        listeners.setMaximumPoolSize(MANY);
        listeners.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        listeners.allowCoreThreadTimeOut(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        timer.scheduleWithFixedDelay(this::relieveListeners, 1, 1, TimeUnit.SECONDS);
    }

    private static ThreadFactory named(String name) {
        var count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** For rare tasks that may block. */
    public void startBlocking(Runnable task) {
        attempt(() -> forSessions.newThread(task).start());
    }

    public Executor listeners() {
        return task -> attempt(() -> listeners.execute(task));
    }

    /** A container may be out of threads for a while; the task waits until one can be started. */
    private void attempt(Runnable start) {
        try {
            start.run();
        } catch (Throwable noThread) {
            log.error("Elections have to wait because no thread could be started; trying again", noThread);
            timer.schedule(() -> attempt(start), 1, TimeUnit.SECONDS);
        }
    }

    /** Timers that run on the loop; after the stop they run no more. */
    public Timers timers(Loop loop, Clock clock) {
        return (nanos, task) -> timer.schedule(() -> loop.execute(task), nanos - clock.nanos(), TimeUnit.NANOSECONDS);
    }

    private void relieveListeners() {
        long now = listeners.getCompletedTaskCount();
        boolean stuck = now == delivered && !listeners.getQueue().isEmpty();
        delivered = now;
        try {
            if (stuck) {
                listeners.setCorePoolSize(Math.min(MANY, listeners.getCorePoolSize() + 1));
            } else if (listeners.getActiveCount() < FEW) {
                listeners.setCorePoolSize(FEW);
            }
        } catch (Throwable noThread) {
            log.error("Slow listeners delay others because no thread could be started; trying again", noThread);
        }
    }

    /** Ends the threads; events that are queued are still delivered. */
    public void stop() {
        timer.shutdown();
        listeners.shutdown();
    }
}
