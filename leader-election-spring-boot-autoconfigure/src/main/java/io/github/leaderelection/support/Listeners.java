package io.github.leaderelection.support;

import io.github.leaderelection.ElectionListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the events of one election to its listeners: in the order of the calls, one at a time, outside any lock.
 *
 * <p>A caller that adds a listener and tells it the current state has to make sure that the state does not change meanwhile.
 */
final class Listeners implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);
    private static final Registration[] NONE = {};

    private final String election;
    private final Executor executor;
    private volatile Registration[] registrations = NONE;
    /** What is to be delivered; null if nothing is, and no thread is delivering. */
    private @Nullable Queue<Runnable> queue;

    private volatile @Nullable Thread deliverer;

    Listeners(String election, Executor executor) {
        this.election = election;
        this.executor = executor;
    }

    /** Adds a listener; returns false if it was added before. */
    synchronized boolean add(ElectionListener listener) {
        if (only(Objects.requireNonNull(listener, "listener")).length > 0) {
            return false;
        }
        int count = registrations.length;
        Registration[] more = Arrays.copyOf(registrations, count + 1);
        more[count] = new Registration(listener);
        registrations = more;
        return true;
    }

    private Registration[] only(ElectionListener listener) {
        for (Registration known : registrations) {
            if (known.listener == listener) {
                return new Registration[] {known};
            }
        }
        return NONE;
    }

    /** Removes a listener, which does not receive pending events either. */
    synchronized void remove(ElectionListener listener) {
        List<Registration> others = new ArrayList<>();
        for (Registration known : registrations) {
            if (known.listener == listener) {
                known.removed = true;
            } else {
                others.add(known);
            }
        }
        registrations = others.toArray(NONE);
    }

    void tell(Consumer<ElectionListener> event) {
        tell(registrations, event, null);
    }

    /** Delivers an event to the present listeners; calls {@code onFailure} once if any of them throws. */
    void tell(Consumer<ElectionListener> event, Runnable onFailure) {
        tell(registrations, event, onFailure);
    }

    /** Delivers an event to one of them. */
    void tell(ElectionListener listener, Consumer<ElectionListener> event, @Nullable Runnable onFailure) {
        tell(only(listener), event, onFailure);
    }

    private void tell(Registration[] audience, Consumer<ElectionListener> event, @Nullable Runnable onFailure) {
        if (audience.length > 0) {
            later(() -> deliver(audience, event, onFailure));
        }
    }

    /** Calls back after all pending events; at once, on this thread, if there are none. */
    void afterwards(Runnable callback) {
        synchronized (this) {
            if (queue != null) {
                queue.add(callback);
                return;
            }
        }
        callback.run();
    }

    /** Calls back as {@link #afterwards}, but always by the executor. */
    void later(Runnable callback) {
        synchronized (this) {
            if (queue != null) {
                queue.add(callback);
                return;
            }
            queue = new ArrayDeque<>(2);
            queue.add(callback);
        }
        executor.execute(this);
    }

    /** Whether the calling thread is delivering an event of this election. */
    boolean delivers() {
        return deliverer == Thread.currentThread();
    }

    private synchronized @Nullable Runnable next() {
        Runnable next = queue == null ? null : queue.poll();
        if (next == null) {
            queue = null;
        }
        return next;
    }

    /** Delivers what is pending. */
    @Override
    public void run() {
        for (Runnable next = next(); next != null; next = next()) {
            deliverer = Thread.currentThread();
            boolean interrupted = Thread.currentThread().isInterrupted();
            try {
                next.run();
            } catch (Throwable failure) {
                log.warn("A callback after the events of election '{}' failed: {}", election, next, failure);
            }
            clearInterruptUnless(interrupted);
            deliverer = null;
        }
    }

    private void deliver(Registration[] audience, Consumer<ElectionListener> event, @Nullable Runnable onFailure) {
        Runnable report = onFailure;
        boolean interrupted = Thread.currentThread().isInterrupted();
        for (Registration registration : audience) {
            if (!registration.removed) {
                try {
                    event.accept(registration.listener);
                } catch (Throwable failure) {
                    log.warn("A listener of election '{}' failed: {}", election, registration.listener, failure);
                    if (report != null) {
                        // Not after the other listeners, which may take long.
                        report.run();
                        report = null;
                    }
                }
                clearInterruptUnless(interrupted);
            }
        }
    }

    /** The interrupt of one listener must not reach the next. */
    private static void clearInterruptUnless(boolean interruptedBefore) {
        if (!interruptedBefore) {
            Thread.interrupted();
        }
    }

    /** A listener that was removed and added again has two of these. */
    private static final class Registration {

        private final ElectionListener listener;
        private volatile boolean removed;

        private Registration(ElectionListener listener) {
            this.listener = listener;
        }
    }
}
