package io.github.leaderelection;

import io.github.leaderelection.LeaderOnly.WhenRevoked;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the running leader-only work of one election, so that it can be drained before leadership is handed over.
 * Intended for code that guards calls itself; applications use {@link Election#runIfLeader}.
 */
public final class LeaderWork {

    private static final Logger log = LoggerFactory.getLogger(LeaderWork.class);

    /** The innermost call of each thread; in an array, because the entry outlives this class and must not leak it. */
    private static final ThreadLocal<@Nullable Object[]> INNERMOST = ThreadLocal.withInitial(() -> new Object[1]);

    private final Set<Permit> running = ConcurrentHashMap.newKeySet();
    private final List<Waiter> waiters = new CopyOnWriteArrayList<>();

    /** Waits for the end of all calls of the given term and of earlier terms. */
    private record Waiter(long lastTerm, Runnable callback) {}

    static Optional<Leadership> current() {
        return Optional.ofNullable(innermost(INNERMOST.get())).map(Permit::term);
    }

    private static @Nullable Permit innermost(@Nullable Object[] slot) {
        return (Permit) slot[0];
    }

    /**
     * Admits a call, or returns null if there is no valid term. A call that a running call makes on the same thread
     * belongs to that call: it is admitted to the same term, even if that term is over. The caller closes the permit
     * when the work has ended, on any thread.
     *
     * @param term the current term, which may be over; null if there is none
     * @param name describes the call in the log; evaluated only if the call does not end in time
     */
    public @Nullable Permit admit(@Nullable Leadership term, WhenRevoked whenRevoked, Supplier<String> name) {
        Permit around = around();
        if (around != null) {
            var nested = new Permit(around.term, whenRevoked, name);
            if (running.contains(around)) {
                running.add(nested);
            }
            return nested;
        }
        if (term == null) {
            return null;
        }
        var permit = new Permit(term, whenRevoked, name);
        running.add(permit);
        // Checked after the addition: draining looks at the running calls after the term has become invalid.
        if (term.isValid()) {
            return permit;
        }
        permit.close();
        return null;
    }

    /** Runs the call on this thread if it is admitted; returns whether it was. */
    public boolean run(@Nullable Leadership term, Consumer<Leadership> call) {
        try (Permit permit = admit(term, WhenRevoked.DRAIN, () -> name(call))) {
            if (permit != null) {
                permit.run(() -> call.accept(permit.term));
            }
            return permit != null;
        }
    }

    /** Returns the class of the call; for a lambda expression, the class that contains it. */
    private static String name(Consumer<Leadership> call) {
        return call.getClass().getName().replaceFirst("\\$\\$Lambda.*", "");
    }

    /** Whether leader-only work of this election is running on the calling thread. */
    public boolean runsHere() {
        return around() != null;
    }

    /** The innermost call of this election that is running on the calling thread. */
    private @Nullable Permit around() {
        Permit permit = innermost(INNERMOST.get());
        while (permit != null && permit.work() != this) {
            permit = permit.outer;
        }
        return permit;
    }

    /**
     * Calls back once, as soon as no call of the given term or of an earlier term is running; at once if none is. The
     * given term must be over. The callback may run on the thread of the last call, and should be short.
     */
    public void whenIdle(long lastTerm, Runnable callback) {
        waiters.add(new Waiter(lastTerm, callback));
        notifyIdle();
    }

    /**
     * To be called when the given term is over. Interrupts those calls of this and earlier terms that have to stop at
     * once.
     *
     * @param lost whether leadership was lost, rather than handed over
     */
    public void revoke(long lastTerm, boolean lost) {
        for (Permit permit : running) {
            if (permit.term.term() <= lastTerm && permit.stopsAtOnce(lost)) {
                permit.interrupt();
            }
        }
    }

    /**
     * To be called when the drain timeout of the given term has elapsed. Interrupts the calls of this and earlier terms
     * and invokes their {@link Permit#whenOverdue} callbacks, except those with {@link WhenRevoked#FINISH}. None of
     * these calls is waited for any longer.
     *
     * @return the names of these calls
     */
    public List<String> expire(long lastTerm) {
        List<String> names = new ArrayList<>();
        for (Permit permit : running.toArray(Permit[]::new)) {
            if (permit.term.term() <= lastTerm) {
                running.remove(permit);
                names.add(permit.name.get());
                if (permit.whenRevoked != WhenRevoked.FINISH) {
                    permit.interrupt();
                }
            }
        }
        notifyIdle();
        return names;
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
        private final WhenRevoked whenRevoked;
        private final Supplier<String> name;
        /** The enclosing call on the same thread; accessed by that thread only. */
        private @Nullable Permit outer;

        private @Nullable Thread thread;
        private @Nullable Runnable whenOverdue;
        private volatile boolean overdue;

        private Permit(Leadership term, WhenRevoked whenRevoked, Supplier<String> name) {
            this.term = term;
            this.whenRevoked = whenRevoked;
            this.name = name;
        }

        public Leadership term() {
            return term;
        }

        private boolean stopsAtOnce(boolean lost) {
            return switch (whenRevoked) {
                case DRAIN -> lost;
                case INTERRUPT -> true;
                case FINISH -> false;
            };
        }

        /**
         * Calls back once, when the work has to stop; at once if that is already the case. For work without a thread
         * that could be interrupted. The callback should be short.
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
            // The interrupt must not reach the thread's next task, but must reach an enclosing call that has to stop.
            if (overdue && Thread.interrupted() && isEnclosedByOverdue()) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean isEnclosedByOverdue() {
            for (Permit enclosing = outer; enclosing != null; enclosing = enclosing.outer) {
                if (enclosing.overdue) {
                    return true;
                }
            }
            return false;
        }

        /**
         * Interrupts the work, because it has to stop: now, or as soon as it starts. An interrupt of the thread alone
         * could be lost, together with that of a nested call that has to stop too.
         */
        public void interrupt() {
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
                    // Must not prevent the interruption of other calls, or the hand-over.
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
