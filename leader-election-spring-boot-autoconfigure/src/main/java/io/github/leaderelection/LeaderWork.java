package io.github.leaderelection;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The leader-only work of one election that is running now, so that it can be drained before leadership is handed over.
 * For those who implement {@link Election} or guard calls with it; others use {@link Election#runIfLeader}.
 */
public final class LeaderWork {

    private static final ThreadLocal<@Nullable Leadership> CURRENT = new ThreadLocal<>();

    private final Set<Permit> running = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Runnable> whenIdle = new AtomicReference<>();

    static Optional<Leadership> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * Admits a call on this thread, or returns null if the term is over. The caller closes the permit when the work has
     * ended.
     */
    public @Nullable Permit admit(Leadership term) {
        var permit = new Permit(term);
        running.add(permit);
        // Asked only now: whoever drains makes the term invalid first and looks at what is running afterwards.
        if (term.isValid()) {
            return permit;
        }
        permit.close();
        return null;
    }

    /** Whether leader-only work of this election is running on the calling thread. */
    public boolean runsHere() {
        Thread here = Thread.currentThread();
        return running.stream().anyMatch(permit -> permit.thread == here);
    }

    /** Calls back once, as soon as nothing is running; at once if nothing is. Replaces an earlier callback. */
    public void whenIdle(Runnable callback) {
        whenIdle.set(callback);
        announceIdle();
    }

    /** Interrupts what is still running; returns how many calls that were. */
    public int interrupt() {
        int count = 0;
        for (Permit permit : running) {
            count += permit.interrupt() ? 1 : 0;
        }
        return count;
    }

    private void announceIdle() {
        if (running.isEmpty()) {
            Runnable callback = whenIdle.getAndSet(null);
            if (callback != null) {
                callback.run();
            }
        }
    }

    /** One admitted call. Until it is closed, on any thread, the work counts as running. */
    public final class Permit implements AutoCloseable {

        private final Leadership term;
        private volatile @Nullable Thread thread;
        private boolean interrupted;

        private Permit(Leadership term) {
            this.term = term;
        }

        public Leadership term() {
            return term;
        }

        /** Runs the part of the work that belongs to this thread, with {@link Leadership#current()} set. */
        public void run(Runnable work) {
            Leadership outer = CURRENT.get();
            enter(Thread.currentThread());
            CURRENT.set(term);
            try {
                work.run();
            } finally {
                if (outer == null) {
                    CURRENT.remove();
                } else {
                    CURRENT.set(outer);
                }
                leave();
            }
        }

        private synchronized void enter(Thread here) {
            thread = here;
        }

        private synchronized void leave() {
            thread = null;
            if (interrupted) {
                // The interrupt was meant for the work; the thread may be a pool's.
                Thread.interrupted();
            }
        }

        private synchronized boolean interrupt() {
            Thread worker = thread;
            if (worker != null) {
                interrupted = true;
                worker.interrupt();
            }
            return worker != null;
        }

        @Override
        public void close() {
            running.remove(this);
            announceIdle();
        }
    }
}
