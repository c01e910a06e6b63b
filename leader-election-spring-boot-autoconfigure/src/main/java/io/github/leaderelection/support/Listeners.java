package io.github.leaderelection.support;

import io.github.leaderelection.ElectionListener;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers the events of one election to its listeners: in order, one at a time, outside any lock. */
public final class Listeners {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final String election;
    private final Executor executor;
    private final List<ElectionListener> listeners = new CopyOnWriteArrayList<>();
    private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable Thread deliverer;

    public Listeners(String election, Executor executor) {
        this.election = election;
        this.executor = executor;
    }

    /** Adds a listener; it gets the given event, which tells the current state, before any later one. */
    public void add(ElectionListener listener, @Nullable Consumer<ElectionListener> state, Runnable onFailure) {
        listeners.add(listener);
        if (state != null) {
            enqueue(() -> deliver(List.of(listener), state, onFailure));
        }
    }

    public void remove(ElectionListener listener) {
        listeners.remove(listener);
    }

    /** Delivers an event to those who are listening now; calls {@code onFailure} if one of them throws. */
    public void tell(Consumer<ElectionListener> event, Runnable onFailure) {
        if (!listeners.isEmpty()) {
            var audience = List.copyOf(listeners);
            enqueue(() -> deliver(audience, event, onFailure));
        }
    }

    public void tell(Consumer<ElectionListener> event) {
        tell(event, () -> {});
    }

    /** Calls back after everything told so far has been delivered; at once, on this thread, if there is nothing. */
    public void afterwards(Runnable callback) {
        if (waiting.get() == 0) {
            callback.run();
        } else {
            enqueue(callback);
        }
    }

    /** Whether the calling thread is delivering an event of this election. */
    public boolean delivers() {
        return deliverer == Thread.currentThread();
    }

    private void enqueue(Runnable delivery) {
        queue.add(delivery);
        if (waiting.getAndIncrement() == 0) {
            executor.execute(this::deliverAll);
        }
    }

    private void deliverAll() {
        do {
            deliverer = Thread.currentThread();
            Runnable next = queue.poll();
            if (next != null) {
                next.run();
            }
            deliverer = null;
            // A listener that interrupts its own thread must not disturb the next one.
            Thread.interrupted();
        } while (waiting.decrementAndGet() != 0);
    }

    private void deliver(List<ElectionListener> audience, Consumer<ElectionListener> event, Runnable onFailure) {
        for (ElectionListener listener : audience) {
            try {
                event.accept(listener);
            } catch (Throwable failure) {
                log.warn("A listener of election '{}' failed: {}", election, listener, failure);
                onFailure.run();
            }
        }
    }
}
