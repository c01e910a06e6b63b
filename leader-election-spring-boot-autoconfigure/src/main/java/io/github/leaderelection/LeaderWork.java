package io.github.leaderelection;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader-only work of one election that is running now, so that it can be drained before leadership is handed over.
 * For those who guard calls with it; others use {@link Election#runIfLeader}.
 */
public final class LeaderWork {

    private static final Logger log = LoggerFactory.getLogger(LeaderWork.class);

    /** The innermost call of each thread, in a slot of a plain array: it stays, and must not keep our classes alive. */
    private static final ThreadLocal<@Nullable Object[]> INNERMOST = ThreadLocal.withInitial(() -> new Object[1]);

    private final Set<Permit> running = ConcurrentHashMap.newKeySet();
    private volatile List<Waiter> waiters = List.of();

    /** Somebody who waits for the end of what that term and those before it have admitted. */
    private record Waiter(long lastTerm, Runnable callback) {}

    static Optional<Leadership> current() {
        return Optional.ofNullable(innermost(INNERMOST.get())).map(Permit::term);
    }

    private static @Nullable Permit innermost(@Nullable Object[] slot) {
        return (Permit) slot[0];
    }

    /**
     * Admits a call, or returns null if the term is over. The caller closes the permit when the work has ended, on
     * whatever thread.
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

    /** Runs the call on this thread if the term still holds; says whether it did. */
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
     * Calls back once, as soon as nothing is running that the given term, which is over, or an earlier one has admitted;
     * at once if nothing is. It is called on the thread of whoever ends last, so it should be short.
     */
    public void whenIdle(long lastTerm, Runnable callback) {
        synchronized (this) {
            waiters = Stream.concat(waiters.stream(), Stream.of(new Waiter(lastTerm, callback)))
                    .toList();
        }
        announceIdle();
    }

    /**
     * Tells what the given term, which is over, and earlier ones have left running that its time is over, by interrupting
     * its threads and by {@link Permit#whenOverdue}; returns how many calls that were, those included that run elsewhere
     * and can't be stopped. Nobody waits for them any more.
     */
    public int interrupt(long lastTerm) {
        List<Permit> leftovers =
                running.stream().filter(permit -> permit.isOfTermUpTo(lastTerm)).toList();
        for (Permit permit : leftovers) {
            running.remove(permit);
            permit.interrupt();
        }
        announceIdle();
        return leftovers.size();
    }

    /** Tells what has asked for it that its time is over, since the term is over. */
    public void revoke() {
        for (Permit permit : running) {
            if (permit.impatient && !permit.term.isValid()) {
                permit.interrupt();
            }
        }
    }

    private void announceIdle() {
        // Mostly nobody waits.
        if (!waiters.isEmpty()) {
            takeWhoWaitedLongEnough().forEach(waiter -> waiter.callback.run());
        }
    }

    private synchronized List<Waiter> takeWhoWaitedLongEnough() {
        Map<Boolean, List<Waiter>> byPatience =
                waiters.stream().collect(Collectors.partitioningBy(waiter -> isRunning(waiter.lastTerm)));
        waiters = byPatience.getOrDefault(true, List.of());
        return byPatience.getOrDefault(false, List.of());
    }

    private boolean isRunning(long lastTerm) {
        // Not isEmpty(), which may be wrong while other calls come and go.
        for (Permit permit : running) {
            if (permit.isOfTermUpTo(lastTerm)) {
                return true;
            }
        }
        return false;
    }

    /** Some work with a result. */
    @FunctionalInterface
    public interface Work<X extends Throwable> {
        @Nullable
        Object call() throws X;
    }

    /** One admitted call. Until it is closed, on any thread, the work counts as running. */
    public final class Permit implements AutoCloseable {

        private final Leadership term;
        /** The call in which this one is nested on its thread; touched by that thread only. */
        private @Nullable Permit outer;

        private @Nullable Thread thread;
        private Runnable whenOverdue = () -> {};
        private volatile boolean overdue;
        private volatile boolean impatient;

        private Permit(Leadership term) {
            this.term = term;
        }

        public Leadership term() {
            return term;
        }

        private boolean isOfTermUpTo(long last) {
            return term.term() <= last;
        }

        /** Asks for an interrupt as soon as the term is over, rather than when the time to drain is. */
        public void interruptOnRevoke() {
            impatient = true;
            // Asked only now, as in admit().
            if (!term.isValid()) {
                interrupt();
            }
        }

        /**
         * Calls back once when the time of the work is over, at once if it is: for work that has no thread to interrupt.
         * It is called on the thread of whoever says so, so it should be short.
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

        /** Runs the part of the work that belongs to this thread, with {@link Leadership#current()} set. */
        public void run(Runnable work) {
            Work<RuntimeException> call = () -> {
                work.run();
                return null;
            };
            call(call);
        }

        /** Runs the part of the work that belongs to this thread, with {@link Leadership#current()} set. */
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
            // The interrupt was meant for the work; the thread may be a pool's. A call around this one is still to see
            // its own.
            if (overdue && (outer == null || !outer.overdue)) {
                Thread.interrupted();
            }
        }

        private void interrupt() {
            try {
                becomeOverdue().run();
            } catch (Throwable failure) {
                // Whoever ends a term has others to tell, and leadership to hand over.
                log.warn("What is to be told that its time is over failed: {}", term, failure);
            }
        }

        private synchronized Runnable becomeOverdue() {
            Runnable action = whenOverdue;
            whenOverdue = () -> {};
            overdue = true;
            if (thread != null) {
                thread.interrupt();
            }
            return action;
        }

        @Override
        public void close() {
            running.remove(this);
            announceIdle();
        }
    }
}
