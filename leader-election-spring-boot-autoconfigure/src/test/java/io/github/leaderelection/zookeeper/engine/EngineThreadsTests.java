package io.github.leaderelection.zookeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineThreadsTests {

    /** Refuses new threads while the limit is reached, as in a container. */
    private static final class LimitedThreads implements ThreadFactory {
        private final AtomicInteger limit = new AtomicInteger(Integer.MAX_VALUE);
        private final AtomicInteger created = new AtomicInteger();
        private final AtomicInteger refused = new AtomicInteger();

        @Override
        public Thread newThread(Runnable task) {
            if (created.getAndIncrement() >= limit.get()) {
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
            limit.set(Integer.MAX_VALUE);
        }
    }

    private final LimitedThreads factory = new LimitedThreads();
    private final EngineThreads threads = new EngineThreads(factory, factory);

    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @AfterEach
    void stop() {
        mayEnd.countDown();
        threads.stop();
    }

    @Test
    void tasksWaitUntilThereIsAThreadForThem() {
        factory.limit.set(0);
        var done = new CountDownLatch(2);

        threads.execute(done::countDown);
        threads.startBlocking(done::countDown);
        factory.liftLimit();

        await().until(() -> done.getCount() == 0);
    }

    @Test
    void listenersBehindStuckOnesRunAsSoonAsThereIsAThreadForThem() {
        factory.limit.set(4);
        CountDownLatch started = startStuckListeners(6);
        await().until(() -> started.getCount() == 2);
        factory.liftLimit();

        await().until(() -> started.getCount() == 0);
    }

    @Test
    void hundredsOfStuckListenersDoNotDelayOthers() {
        CountDownLatch started = startStuckListeners(300);
        await().until(() -> started.getCount() == 0);

        var heard = new CountDownLatch(1);
        threads.execute(heard::countDown);

        await().until(() -> heard.getCount() == 0);
    }

    @Test
    void manyEventsForFastListenersNeedFewThreads() {
        var delivered = new CountDownLatch(5_000);
        for (long i = delivered.getCount(); i > 0; i--) {
            threads.execute(delivered::countDown);
        }
        await().until(() -> delivered.getCount() == 0);
        assertThat(factory.created).hasValueLessThan(100);
    }

    private CountDownLatch startStuckListeners(int count) {
        var started = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            threads.execute(() -> {
                started.countDown();
                awaitUninterruptibly(mayEnd);
            });
        }
        return started;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
