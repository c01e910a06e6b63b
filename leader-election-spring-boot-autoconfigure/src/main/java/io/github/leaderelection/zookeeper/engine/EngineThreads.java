package io.github.leaderelection.zookeeper.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one connection's elections, regardless of their number: one for the timers and a few for listeners.
 * Idle threads are kept, so that a hand-over after a long pause need not start one. More are added only while slow
 * listeners occupy all of them, so that they do not delay the others. As an executor, it runs listeners.
 */
public final class EngineThreads implements Executor {

    private static final Logger log = LoggerFactory.getLogger(EngineThreads.class);
    private static final int FEW = 4;
    private static final int MANY = 1_024;
    /** How long events may wait while no listener returns. */
    private static final long PATIENCE_MILLIS = 10;

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, new DaemonThreads("election-timer-"));
    private final ThreadFactory forSessions;
    private final ThreadPoolExecutor listeners;
    private final AtomicBoolean watched = new AtomicBoolean();
    /** Only on the timer's thread. */
    private boolean shrinking;

    public EngineThreads() {
        this(new DaemonThreads("election-listener-"), new DaemonThreads("election-session-"));
    }

    /**
     * @param forListeners creates the threads that deliver events
     * @param forSessions creates the threads that open and close sessions
     */
    EngineThreads(ThreadFactory forListeners, ThreadFactory forSessions) {
        this.forSessions = forSessions;
        listeners = new ThreadPoolExecutor(FEW, FEW, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), forListeners);
        // The queue is unbounded, so the pool never exceeds its core size: that itself grows up to this.
        listeners.setMaximumPoolSize(MANY);
        listeners.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        // A task that waits for a thread needs this one.
        timer.prestartCoreThread();
    }

    private static final class DaemonThreads extends AtomicInteger implements ThreadFactory {
        private static final long serialVersionUID = 1;
        private final String prefix;

        DaemonThreads(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public Thread newThread(Runnable task) {
            Thread thread = new Thread(task, prefix + incrementAndGet());
            thread.setDaemon(true);
            return thread;
        }
    }

    @Override
    public void execute(Runnable listener) {
        try {
            listeners.execute(listener);
            watchQueue();
        } catch (Throwable noThread) {
            retry(noThread, () -> execute(listener));
        }
    }

    /** For rare tasks that may block. */
    public void startBlocking(Runnable task) {
        try {
            forSessions.newThread(task).start();
        } catch (Throwable noThread) {
            retry(noThread, () -> startBlocking(task));
        }
    }

    /** A container may be out of threads for a while; the task waits until one can be started. */
    private void retry(Throwable noThread, Runnable attempt) {
        log.error("Elections have to wait because no thread could be started; trying again", noThread);
        timer.schedule(attempt, 1, TimeUnit.SECONDS);
    }

    /** Timers whose tasks run on the loop; none runs after the stop. */
    public Timers timers(Loop loop, Clock clock) {
        return new LoopTimers(timer, loop, clock);
    }

    private record LoopTimers(ScheduledThreadPoolExecutor timer, Loop loop, Clock clock) implements Timers {
        @Override
        public void at(long nanos, Runnable task) {
            timer.schedule(new OnLoop(loop, task), nanos - clock.nanos(), TimeUnit.NANOSECONDS);
        }
    }

    private record OnLoop(Loop loop, Runnable task) implements Runnable {
        @Override
        public void run() {
            loop.execute(task);
        }
    }

    /** Most listeners return at once, so a burst of events needs no more threads: it waits for a moment first. */
    private void watchQueue() {
        if (!listeners.getQueue().isEmpty() && watched.compareAndSet(false, true)) {
            long delivered = listeners.getCompletedTaskCount();
            timer.schedule(() -> relieve(delivered), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void relieve(long deliveredBefore) {
        try {
            if (!listeners.getQueue().isEmpty() && listeners.getCompletedTaskCount() == deliveredBefore) {
                shrinkLater();
                listeners.setCorePoolSize(Math.min(MANY, 2 * Math.max(FEW, listeners.getPoolSize())));
                // In case no thread could be started when that size was set.
                listeners.prestartCoreThread();
            }
            watched.set(false);
            watchQueue();
        } catch (Throwable noThread) {
            retry(noThread, () -> relieve(deliveredBefore));
        }
    }

    private void shrinkLater() {
        if (!shrinking) {
            shrinking = true;
            timer.schedule(this::shrink, 1, TimeUnit.SECONDS);
        }
    }

    private void shrink() {
        shrinking = false;
        if (listeners.getActiveCount() < FEW) {
            listeners.setCorePoolSize(FEW);
        } else if (listeners.getCorePoolSize() > FEW) {
            shrinkLater();
        }
    }

    /** Ends the threads; events that are queued are still delivered. */
    public void stop() {
        timer.shutdown();
        listeners.shutdown();
    }
}
