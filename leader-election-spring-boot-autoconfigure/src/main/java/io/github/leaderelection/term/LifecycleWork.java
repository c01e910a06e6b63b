package io.github.leaderelection.term;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.support.MisconfigurationException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;

/** A bean, or the container of a message listener, that runs for a term. */
final class LifecycleWork extends TermWork {

    private static final Logger log = LoggerFactory.getLogger(LifecycleWork.class);

    private final Lifecycle lifecycle;
    private final Executor executor;
    private volatile @Nullable Thread stopping;

    /** @param executor calls {@code stop()}, which may block */
    LifecycleWork(String name, Lifecycle lifecycle, Executor executor) {
        super(name, lifecycle instanceof Phased phased ? phased.getPhase() : 0);
        this.lifecycle = lifecycle;
        this.executor = executor;
    }

    @Override
    void requireNotStarted() {
        if (lifecycle.isRunning()) {
            throw new MisconfigurationException(
                    "'%s' is @WhileLeader, but was started with the application, on every instance: by its own code, or because a bean that starts with the application depends on it."
                            .formatted(name()),
                    "Do not start it in a constructor or an initialization method. If other beans depend on it, let it implement SmartLifecycle, with a method isAutoStartup() that returns false.");
        }
    }

    @Override
    void doStart(Leadership term, Runnable ended) {
        if (!lifecycle.isRunning()) {
            lifecycle.start();
        }
    }

    /** On a thread of its own: a stop that blocks must not delay others of the same phase. */
    @Override
    void doStop(Runnable ended) {
        executor.execute(() -> {
            stopping = Thread.currentThread();
            try {
                stopLifecycle(ended);
            } catch (Throwable failure) {
                log.warn("{} could not be stopped", name(), failure);
                ended.run();
            } finally {
                stopping = null;
            }
        });
    }

    private void stopLifecycle(Runnable ended) {
        if (lifecycle.isRunning() && lifecycle instanceof SmartLifecycle smart) {
            smart.stop(ended);
            return;
        }
        if (lifecycle.isRunning()) {
            lifecycle.stop();
        }
        ended.run();
    }

    @Override
    void interrupt() {
        Thread thread = stopping;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
