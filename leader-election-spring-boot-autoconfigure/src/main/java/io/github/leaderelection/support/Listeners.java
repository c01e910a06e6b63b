package io.github.leaderelection.support;

import io.github.leaderelection.ElectionListener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the events of one election to its listeners, outside any lock: each listener receives them in the order of
 * the calls, one at a time, however long the others take.
 *
 * <p>A caller that adds a listener and notifies it of the current state has to ensure that the state does not change in
 * the meantime.
 */
final class Listeners {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);
    private static final ListenerQueue[] NONE = {};

    private final String election;
    private final Executor executor;
    /** Includes removed listeners until they have returned. */
    private volatile ListenerQueue[] queues = NONE;

    Listeners(String election, Executor executor) {
        this.election = election;
        this.executor = executor;
    }

    String election() {
        return election;
    }

    Executor executor() {
        return executor;
    }

    /** Adds a listener; returns false if it was added before. */
    synchronized boolean add(ElectionListener listener) {
        ListenerQueue known = find(Objects.requireNonNull(listener, "listener"));
        if (known != null) {
            return known.open();
        }
        int count = queues.length;
        ListenerQueue[] more = Arrays.copyOf(queues, count + 1);
        more[count] = new ListenerQueue(listener, this);
        queues = more;
        return true;
    }

    private @Nullable ListenerQueue find(ElectionListener listener) {
        for (ListenerQueue queue : queues) {
            if (queue.listener() == listener) {
                return queue;
            }
        }
        return null;
    }

    /** Removes a listener, which does not receive pending events either. */
    synchronized void remove(ElectionListener listener) {
        ListenerQueue known = find(listener);
        if (known != null) {
            known.close();
            forgetRemoved();
        }
    }

    synchronized void forgetRemoved() {
        queues = Arrays.stream(queues).filter(queue -> !queue.isOver()).toArray(ListenerQueue[]::new);
    }

    void tell(Consumer<ElectionListener> event) {
        tell(event, null);
    }

    /** Delivers an event to the present listeners; calls {@code onFailure} for each of them that throws. */
    void tell(Consumer<ElectionListener> event, @Nullable Runnable onFailure) {
        for (ListenerQueue queue : queues) {
            queue.tell(event, onFailure);
        }
    }

    /** Delivers an event to the given listener. */
    void tell(ElectionListener listener, Consumer<ElectionListener> event, @Nullable Runnable onFailure) {
        ListenerQueue queue = find(listener);
        if (queue != null) {
            queue.tell(event, onFailure);
        }
    }

    /**
     * Calls back once all listeners have returned from the events so far: on the thread of the last listener, or at
     * once, on this thread, if there is nothing to wait for.
     *
     * @return a mark of this place in the sequence of events, for {@link #interruptBefore}
     */
    Runnable afterwards(Runnable callback) {
        ListenerQueue[] audience = queues;
        var pending = new AtomicInteger(audience.length + 1);
        Runnable mark = () -> {
            if (pending.decrementAndGet() == 0) {
                callback.run();
            }
        };
        for (ListenerQueue queue : audience) {
            queue.afterwards(mark);
        }
        mark.run();
        return mark;
    }

    /** Calls back as {@link #afterwards}, but always on the executor. */
    void later(Runnable callback) {
        afterwards(() -> executor.execute(() -> run(callback)));
    }

    /** A failed callback must not prevent further deliveries. */
    void run(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable failure) {
            log.warn("A callback after the events of election '{}' failed: {}", election, callback, failure);
        }
    }

    /** Interrupts the listeners that have not returned from the events before the mark, and returns their names. */
    List<String> interruptBefore(Runnable mark) {
        List<String> busy = new ArrayList<>();
        for (ListenerQueue queue : queues) {
            String name = queue.interruptBefore(mark);
            if (name != null) {
                busy.add(name);
            }
        }
        return busy;
    }

    /** Whether the calling thread is delivering an event of this election. */
    boolean delivers() {
        for (ListenerQueue queue : queues) {
            if (queue.delivers()) {
                return true;
            }
        }
        return false;
    }
}
