package io.github.leaderelection.support;

import io.github.leaderelection.ElectionListener;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers the pending events of one listener, in order and one at a time. */
final class ListenerQueue implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ListenerQueue.class);

    private final ElectionListener listener;
    private final Listeners listeners;
    /** Null if nothing is pending, and no thread is delivering: there may be thousands of elections. */
    private @Nullable Queue<Runnable> tasks;

    /** The thread that is inside the listener. */
    private @Nullable Thread deliverer;

    private boolean closed;

    ListenerQueue(ElectionListener listener, Listeners listeners) {
        this.listener = listener;
        this.listeners = listeners;
    }

    ElectionListener listener() {
        return listener;
    }

    /** Drops the pending events, and accepts no more. */
    synchronized void close() {
        closed = true;
        if (tasks != null) {
            tasks.removeIf(Event.class::isInstance);
        }
    }

    /** Accepts events again; returns whether the queue was closed. */
    synchronized boolean open() {
        boolean reopened = closed;
        closed = false;
        return reopened;
    }

    /** Whether it is closed, and the listener has returned. */
    synchronized boolean isOver() {
        return closed && tasks == null;
    }

    void tell(Consumer<ElectionListener> event, @Nullable Runnable onFailure) {
        synchronized (this) {
            if (closed) {
                return;
            }
            boolean delivering = tasks != null;
            if (tasks == null) {
                tasks = new ArrayDeque<>(2);
            }
            tasks.add(new Event(event, onFailure));
            if (delivering) {
                return;
            }
        }
        listeners.executor().execute(this);
    }

    /** Calls back after the pending events; at once, on this thread, if there are none. */
    void afterwards(Runnable callback) {
        synchronized (this) {
            if (tasks != null) {
                tasks.add(callback);
                return;
            }
        }
        callback.run();
    }

    /** Interrupts the listener if that callback is still pending, and returns the listener's name; otherwise null. */
    synchronized @Nullable String interruptBefore(Runnable callback) {
        if (tasks == null || !tasks.contains(callback)) {
            return null;
        }
        String name = ListenerName.of(listener, deliverer);
        if (deliverer != null) {
            deliverer.interrupt();
        }
        return name;
    }

    /** Whether the calling thread is inside the listener. */
    synchronized boolean delivers() {
        return deliverer == Thread.currentThread();
    }

    /** Delivers what is pending. */
    @Override
    public void run() {
        for (Runnable next = next(); next != null; next = next()) {
            boolean interrupted = Thread.currentThread().isInterrupted();
            listeners.run(next);
            if (!interrupted) {
                // An interrupt of this event must not reach the next one.
                Thread.interrupted();
            }
        }
    }

    private @Nullable Runnable next() {
        synchronized (this) {
            Runnable next = tasks == null ? null : tasks.poll();
            if (next != null) {
                return next;
            }
            tasks = null;
            if (!closed) {
                return null;
            }
        }
        listeners.forgetRemoved();
        return null;
    }

    private synchronized void enter() {
        deliverer = Thread.currentThread();
    }

    private synchronized void leave() {
        deliverer = null;
    }

    private final class Event implements Runnable {

        private final Consumer<ElectionListener> event;
        private final @Nullable Runnable onFailure;

        private Event(Consumer<ElectionListener> event, @Nullable Runnable onFailure) {
            this.event = event;
            this.onFailure = onFailure;
        }

        @Override
        public void run() {
            enter();
            try {
                event.accept(listener);
            } catch (Throwable failure) {
                log.warn("A listener of election '{}' failed: {}", listeners.election(), listener, failure);
                if (onFailure != null) {
                    onFailure.run();
                }
            } finally {
                leave();
            }
        }
    }
}
