package io.github.leaderelection.support;

import io.github.leaderelection.ElectionListener;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the events of one election to its listeners: in order, one at a time, outside any lock.
 *
 * <p>The order is that of the calls. Whoever adds a listener with the current state makes sure that no change of that
 * state is told at the same time, by one lock or one thread for both.
 */
public final class Listeners {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final String election;
    private final Executor executor;
    private volatile List<Registration> registrations = List.of();
    /** What is still to be delivered; null when nothing is, and nobody is at it. There may be thousands of these objects. */
    private @Nullable Queue<Runnable> queue;

    private volatile @Nullable Thread deliverer;

    public Listeners(String election, Executor executor) {
        this.election = election;
        this.executor = executor;
    }

    /**
     * Adds a listener; what it alone is told at once, the current state, comes before any later event. Adding it again
     * changes nothing, and it is told nothing: it would hear everything twice.
     */
    public Audience add(ElectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        Registration registration = register(listener);
        return new Audience(registration == null ? List.of() : List.of(registration));
    }

    private synchronized @Nullable Registration register(ElectionListener listener) {
        if (registrations.stream().anyMatch(known -> known.listener == listener)) {
            return null;
        }
        var registration = new Registration(listener);
        registrations = registrations.isEmpty()
                ? List.of(registration)
                : Stream.concat(registrations.stream(), Stream.of(registration)).toList();
        return registration;
    }

    /** Removes a listener; it does not hear what has been told and not yet delivered either. */
    public synchronized void remove(ElectionListener listener) {
        registrations.stream().filter(known -> known.listener == listener).forEach(known -> known.removed = true);
        registrations = registrations.stream().filter(known -> !known.removed).toList();
    }

    /** Delivers an event to those who are listening now; calls {@code onFailure} once if any of them throws. */
    public void tell(Consumer<ElectionListener> event, Runnable onFailure) {
        new Audience(registrations).tell(event, onFailure);
    }

    public void tell(Consumer<ElectionListener> event) {
        new Audience(registrations).tell(event);
    }

    /** Those who hear an event. */
    public final class Audience {

        private final List<Registration> members;

        private Audience(List<Registration> members) {
            this.members = members;
        }

        /** Delivers an event to them; calls {@code onFailure} once if any of them throws. */
        public void tell(Consumer<ElectionListener> event, Runnable onFailure) {
            if (!members.isEmpty()) {
                enqueue(() -> deliver(members, event, onFailure));
            }
        }

        public void tell(Consumer<ElectionListener> event) {
            tell(event, () -> {});
        }
    }

    /** Calls back after everything told so far has been delivered; at once, on this thread, if there is nothing. */
    public void afterwards(Runnable callback) {
        if (!joinQueue(callback)) {
            callback.run();
        }
    }

    /** Calls back as {@link #afterwards}, but never on this thread. */
    public void later(Runnable callback) {
        enqueue(callback);
    }

    /** Whether the calling thread is delivering an event of this election. */
    public boolean delivers() {
        return deliverer == Thread.currentThread();
    }

    private void enqueue(Runnable delivery) {
        synchronized (this) {
            if (queue != null) {
                queue.add(delivery);
                return;
            }
            queue = new ArrayDeque<>(2);
            queue.add(delivery);
        }
        executor.execute(this::deliverAll);
    }

    private synchronized boolean joinQueue(Runnable delivery) {
        return queue != null && queue.add(delivery);
    }

    /** The next delivery; null ends this round, and whoever comes next begins another. */
    private synchronized @Nullable Runnable next() {
        Runnable next = queue == null ? null : queue.poll();
        if (next == null) {
            queue = null;
        }
        return next;
    }

    private void deliverAll() {
        for (Runnable next = next(); next != null; next = next()) {
            deliverer = Thread.currentThread();
            attempt(next, "A callback after the events of election '{}' failed: {}", next);
            deliverer = null;
        }
    }

    private void deliver(List<Registration> audience, Consumer<ElectionListener> event, Runnable onFailure) {
        boolean failed = false;
        for (Registration registration : audience) {
            if (!registration.removed) {
                ElectionListener listener = registration.listener;
                boolean heard =
                        attempt(() -> event.accept(listener), "A listener of election '{}' failed: {}", listener);
                if (!heard && !failed) {
                    // Now, not after the others have heard it: they may take their time.
                    failed = true;
                    onFailure.run();
                }
            }
        }
    }

    /** Whatever goes wrong here, the events that follow are delivered, and nobody inherits an interrupt. */
    private boolean attempt(Runnable call, String complaint, Object culprit) {
        boolean interruptedBefore = Thread.currentThread().isInterrupted();
        try {
            call.run();
            return true;
        } catch (Throwable failure) {
            log.warn(complaint, election, culprit, failure);
            return false;
        } finally {
            if (!interruptedBefore) {
                Thread.interrupted();
            }
        }
    }

    /** One stay of a listener; if it is removed and added again, that is another one. */
    private static final class Registration {

        private final ElectionListener listener;
        private volatile boolean removed;

        private Registration(ElectionListener listener) {
            this.listener = listener;
        }
    }
}
