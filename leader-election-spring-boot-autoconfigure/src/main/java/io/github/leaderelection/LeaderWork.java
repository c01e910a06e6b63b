package io.github.leaderelection;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader-only work of one election that is running now, so that it can be drained before the leadership is handed over.
 * For code that guards calls itself; applications use {@link Election#runIfLeader}.
 */
public final class LeaderWork {

    private static final Logger log = LoggerFactory.getLogger(LeaderWork.class);

    /** The innermost call of each thread; in a plain array, because the entry outlives us and must not leak our classes. */
    private static final ThreadLocal<@Nullable Object[]> INNERMOST = ThreadLocal.withInitial(() -> new Object[1]);

    private final Set<Permit> running = ConcurrentHashMap.newKeySet();
    private final List<Waiter> waiters = new CopyOnWriteArrayList<>();

    /** Waits for the end of all calls of a term and earlier ones. */
    private record Waiter(long lastTerm, Runnable callback) {}

    static Optional<Leadership> current() {
        return Optional.ofNullable(innermost(INNERMOST.get())).map(Permit::term);
    }

    private static @Nullable Permit innermost(@Nullable Object[] slot) {
        return (Permit) slot[0];
    }

    /**
     * Admits a call, or returns null if the term is over. The caller closes the permit when the work has ended, on any
     * thread.
     */
    public @Nullable Permit admit(Leadership term) {
        var permit = new Permit(term);
        running.add(permit);
        // Checked after the addition: draining looks at the running calls after the term has become invalid.
        if (term.isValid()) {
            return permit;
        }
        permit.close();
        return null;
    }

    /** Runs the call on this thread if the term is valid; returns whether it did. */
    public boolean run(Leadership term, Consumer<Leadership> call) {
        try (Permit permit = admit(term)) {
            if (permit != null) {
                permit.run(() -> call.accept(term));
            }
            return permit != null;
        }
    }

    /** Whether leader-only work of this election is running on the calling thread. */
    public boolean runsHere() {
        for (Permit permit = innermost(INNERMOST.get()); permit != null; permit = permit.outer) {
            if (permit.work() == this) {
                return true;
            }
        }
        return false;
    }

    /**
     * Calls back once, as soon as no call of the given term, which is over, or of an earlier one is running; at once if
     * none is. The callback runs on the thread of the last call and should be short.
     */
    public void whenIdle(long lastTerm, Runnable callback) {
        waiters.add(new Waiter(lastTerm, callback));
        notifyIdle();
    }

    /**
     * Interrupts the calls of the given term, which is over, and of earlier ones, and invokes their
     * {@link Permit#whenOverdue} callbacks. They are not waited for any more.
     *
     * @return the number of these calls, including those that cannot be interrupted
     */
    public int interrupt(long lastTerm) {
        int calls = 0;
        for (Permit permit : running.toArray(Permit[]::new)) {
            if (permit.term.term() <= lastTerm) {
                running.remove(permit);
                permit.interrupt();
                calls++;
            }
        }
        notifyIdle();
        return calls;
    }

    /** Interrupts the calls that asked for it by {@link Permit#interruptOnRevoke} and whose term is over. */
    public void revoke() {
        for (Permit permit : running) {
            if (permit.interruptOnRevoke && !permit.term.isValid()) {
                permit.interrupt();
            }
        }
    }

    private void notifyIdle() {
        if (!waiters.isEmpty()) {
            for (Waiter waiter : waiters.toArray(Waiter[]::new)) {
                if (!isRunning(waiter.lastTerm) && waiters.remove(waiter)) {
                    waiter.callback.run();
                }
            }
        }
    }

    private boolean isRunning(long lastTerm) {
        for (Permit permit : running) {
            if (permit.term.term() <= lastTerm) {
                return true;
            }
        }
        return false;
    }

    /** Work with a result. */
    @FunctionalInterface
    public interface Work<X extends Throwable> {
        @Nullable
        Object call() throws X;
    }

    /** One admitted call, which counts as running until the permit is closed on any thread. */
    public final class Permit implements AutoCloseable {

        private final Leadership term;
        /** The call around this one on its thread; used by that thread only. */
        private @Nullable Permit outer;

        private @Nullable Thread thread;
        private @Nullable Runnable whenOverdue;
        private volatile boolean overdue;
        private volatile boolean interruptOnRevoke;

        private Permit(Leadership term) {
            this.term = term;
        }

        public Leadership term() {
            return term;
        }

        /** Asks for an interrupt as soon as the term is over, not only when the drain timeout is. */
        public void interruptOnRevoke() {
            interruptOnRevoke = true;
            // Checked afterwards, as in admit().
            if (!term.isValid()) {
                interrupt();
            }
        }

        /**
         * Calls back once when the work should have ended, at once if that is the case already: for work without a thread
         * to interrupt. The callback should be short.
         */
        public void whenOverdue(Runnable action) {
            synchronized (this) {
                if (!overdue) {
                    whenOverdue = action;
                    return;
                }
            }
            action.run();
        }

        /** Runs work on this thread, with {@link Leadership#current()} set. */
        public void run(Runnable work) {
            this.<RuntimeException>call(() -> {
                work.run();
                return null;
            });
        }

        /** Runs work on this thread, with {@link Leadership#current()} set. */
        public <X extends Throwable> @Nullable Object call(Work<X> work) throws X {
            @Nullable Object[] slot = INNERMOST.get();
            outer = innermost(slot);
            slot[0] = this;
            enter();
            try {
                return work.call();
            } finally {
                leave();
                slot[0] = outer;
                outer = null;
            }
        }

        private LeaderWork work() {
            return LeaderWork.this;
        }

        private synchronized void enter() {
            thread = Thread.currentThread();
            if (overdue) {
                thread.interrupt();
            }
        }

        private synchronized void leave() {
            thread = null;
            // Our interrupt must not reach the thread's next task, but has to reach the call around this one.
            if (overdue && (outer == null || !outer.overdue)) {
                Thread.interrupted();
            }
        }

        private void interrupt() {
            Runnable action;
            synchronized (this) {
                action = whenOverdue;
                whenOverdue = null;
                overdue = true;
                if (thread != null) {
                    thread.interrupt();
                }
            }
            if (action != null) {
                try {
                    action.run();
                } catch (Throwable failure) {
                    // Other calls have to be interrupted, and the leadership has to be handed over.
                    log.warn("Leader-only work of {} could not be cancelled", term, failure);
                }
            }
        }

        @Override
        public void close() {
            running.remove(this);
            notifyIdle();
        }
    }
}
