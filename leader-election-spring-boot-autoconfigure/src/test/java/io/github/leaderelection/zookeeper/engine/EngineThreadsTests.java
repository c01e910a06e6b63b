package io.github.leaderelection.zookeeper.engine;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineThreadsTests {

    /** Refuses new threads while the limit is reached, as in a container. */
    private static final class LimitedThreads implements ThreadFactory {
        private final AtomicBoolean limitReached = new AtomicBoolean();
        private final AtomicInteger refused = new AtomicInteger();

        @Override
        public Thread newThread(Runnable task) {
            if (limitReached.get()) {
                refused.incrementAndGet();
                throw new OutOfMemoryError("unable to create native thread: provoked by a test");
            }
            Thread thread = new Thread(task, "test-thread");
            thread.setDaemon(true);
            return thread;
        }

        /** Allows threads again, but only after one was refused. */
        void liftLimit() {
            await().until(() -> refused.get() > 0);
            limitReached.set(false);
        }
    }

    private final LimitedThreads factory = new LimitedThreads();
    private final EngineThreads threads = new EngineThreads(factory, factory);

    @AfterEach
    void stop() {
        threads.stop();
    }

    @Test
    void tasksWaitUntilThereIsAThreadForThem() {
        factory.limitReached.set(true);
        var done = new CountDownLatch(2);

        threads.listeners().execute(done::countDown);
        threads.startBlocking(done::countDown);
        factory.liftLimit();

        await().until(() -> done.getCount() == 0);
    }

    @Test
    void listenersBehindStuckOnesRunAsSoonAsThereIsAThreadForThem() {
        var started = new CountDownLatch(6);
        var mayEnd = new CountDownLatch(1);
        try {
            for (long i = started.getCount(); i > 0; i--) {
                threads.listeners().execute(() -> {
                    started.countDown();
                    awaitUninterruptibly(mayEnd);
                });
            }
            await().until(() -> started.getCount() == 2);
            factory.limitReached.set(true);
            factory.liftLimit();

            await().until(() -> started.getCount() == 0);
        } finally {
            mayEnd.countDown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
