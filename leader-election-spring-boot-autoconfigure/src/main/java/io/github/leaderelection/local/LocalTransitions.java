package io.github.leaderelection.local;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.local.LocalState.Closed;
import io.github.leaderelection.local.LocalState.Leading;
import io.github.leaderelection.local.LocalState.Leaving;
import io.github.leaderelection.local.LocalState.Next;
import io.github.leaderelection.local.LocalState.Observing;
import io.github.leaderelection.local.LocalState.Waiting;
import io.github.leaderelection.support.DelayedTasks;
import io.github.leaderelection.support.Drain;
import io.github.leaderelection.support.ElectionLog;
import io.github.leaderelection.support.Listeners;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The changes of state of one in-process election. They happen under a lock, and listeners are told in their order;
 * whatever runs foreign code waits in the outbox until the lock is free.
 */
final class LocalTransitions {

    /** One for all elections of this process, so that tokens grow wherever they are compared. */
    private static final AtomicLong TOKENS = new AtomicLong();

    private static final String LISTENER_FAILED = "A listener failed when leadership was granted";

    private final InProcessElection election;
    private final LocalSettings settings;
    private final LeaderWork work;
    private final Listeners listeners;
    private final ElectionLog electionLog;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Runnable> outbox = new ConcurrentLinkedQueue<>();
    private volatile LocalState state = new Observing();
    private long nominations;
    private long terms;
    private int failures;

    LocalTransitions(InProcessElection election, String name, LocalSettings settings, LeaderWork work) {
        this.election = election;
        this.settings = settings;
        this.work = work;
        this.electionLog = new ElectionLog(name, settings.candidateId());
        this.listeners = new Listeners(
                name, delivery -> outbox.add(() -> settings.executor().execute(delivery)));
    }

    LocalState state() {
        return state;
    }

    Listeners listeners() {
        return listeners;
    }

    boolean holds(LocalTerm term) {
        return state instanceof Leading leading && leading.term() == term;
    }

    void requireOpen() {
        if (state.role() == Role.CLOSED) {
            throw new ElectionClosedException("Election '%s' was %s in this process; only queries are answered"
                    .formatted(election.name(), state.ended() ? "deleted" : "resigned or closed"));
        }
    }

    void nominate() {
        change(() -> {
            requireOpen();
            if (state instanceof Observing) {
                failures = 0;
                electionLog.nominated();
                join(false);
            } else if (state instanceof Leaving leaving) {
                state = leaving.then(Next.REJOIN);
            }
            return state;
        });
    }

    private void join(boolean mayHaveWork) {
        var self = new Candidate(
                settings.candidateId().get(),
                settings.metadata(),
                nominations++,
                TOKENS.incrementAndGet(),
                Instant.now());
        state = new Waiting(self, failures == 0 ? Optional.empty() : Optional.of(LISTENER_FAILED), mayHaveWork);
        election.joined(self, failures);
    }

    /** Begins a term, unless that candidate does not wait for one any more. */
    Optional<Leadership> lead(Candidate candidate) {
        return change(() -> {
            if (!(state instanceof Waiting waiting) || !waiting.self().equals(candidate)) {
                return Optional.empty();
            }
            var term = new LocalTerm(election.name(), candidate, ++terms, this::holds);
            state = new Leading(term);
            electionLog.granted(term, null);
            listeners.tell(listener -> listener.granted(term), () -> giveUp(term));
            tellLeader(Optional.of(candidate));
            return Optional.of(term);
        });
    }

    private void giveUp(LocalTerm term) {
        change(() -> holds(term)
                && !leave(RevocationReason.LISTENER_FAILED, Next.REJOIN, any -> {})
                        .isDone());
    }

    /** Ends the term at once and waits for the next one, as when a lease is lost: nothing drains. */
    void lose(RevocationReason reason) {
        change(() -> {
            revoke(requireLeading().term(), reason);
            join(true);
            return state;
        });
    }

    private void revoke(LocalTerm term, RevocationReason reason) {
        failures = reason == RevocationReason.LISTENER_FAILED ? failures + 1 : 0;
        electionLog.revoked(term, reason, Duration.between(term.since(), Instant.now()));
        outbox.add(work::revoke);
        listeners.tell(listener -> listener.revoked(term, reason));
        tellLeader(Optional.empty());
    }

    private void tellLeader(Optional<Candidate> leader) {
        if (settings.observe()) {
            listeners.tell(listener -> listener.leaderChanged(election, leader));
        }
    }

    Leading requireLeading() {
        if (state instanceof Leading leading) {
            return leading;
        }
        requireOpen();
        throw new IllegalStateException(
                "This process does not lead election '%s'; its role is %s".formatted(election.name(), state.role()));
    }

    /** Ends the term, if there is one, and goes on to what is next when it has drained; completes after that. */
    CompletableFuture<Instant> leave(RevocationReason reason, Next next, Consumer<LocalState> precondition) {
        return change(() -> {
            LocalState before = state;
            precondition.accept(before);
            if (before instanceof Closed closed) {
                return closed.handedOver();
            }
            if (before instanceof Leaving leaving) {
                state = leaving.role() == Role.CLOSED ? leaving : leaving.then(next);
                tellIfEnded(before);
                return leaving.handedOver();
            }
            var handedOver = new CompletableFuture<Instant>();
            if (before.mayHaveWork()) {
                state = new Leaving(next, handedOver);
                // Before the listeners: where they are called on this thread, their time must have begun to run.
                long lastTerm = terms;
                outbox.add(() -> drain(lastTerm, handedOver));
                if (before instanceof Leading leading) {
                    revoke(leading.term(), reason);
                }
                tellIfEnded(before);
            } else {
                arrive(next, handedOver);
            }
            return handedOver;
        });
    }

    private void tellIfEnded(LocalState before) {
        if (state.ended() && !before.ended()) {
            electionLog.ended(election.path());
            listeners.tell(listener -> listener.ended(election));
        }
    }

    private void drain(long lastTerm, CompletableFuture<Instant> handedOver) {
        Drain.begin(
                election.name(),
                listeners,
                work,
                lastTerm,
                settings.drainTimeout(),
                DelayedTasks::run,
                overran -> change(() -> {
                    if (overran) {
                        outbox.add(election::overran);
                    }
                    if (state instanceof Leaving leaving) {
                        arrive(leaving.next(), handedOver);
                    }
                    return state;
                }));
    }

    private void arrive(Next next, CompletableFuture<Instant> handedOver) {
        LocalState before = state;
        switch (next) {
            case REJOIN -> join(false);
            case OBSERVE -> observe();
            case CLOSE, END -> close(next == Next.END, handedOver);
        }
        tellIfEnded(before);
        boolean closed = state instanceof Closed;
        // One after the other: whoever has waited may open the election again at once, and expects its place to be
        // free.
        outbox.add(() -> {
            if (closed) {
                election.closed();
            }
            handedOver.complete(Instant.now());
            if (closed) {
                listeners.later(election::tellClosed);
            }
        });
    }

    private void observe() {
        if (!(state instanceof Observing)) {
            state = new Observing();
            electionLog.withdrawn();
        }
    }

    private void close(boolean ended, CompletableFuture<Instant> handedOver) {
        state = new Closed(ended, handedOver);
        if (!ended) {
            electionLog.closed();
        }
    }

    void add(ElectionListener listener) {
        change(() -> {
            requireOpen();
            Listeners.Audience newcomer = listeners.add(listener);
            if (state instanceof Leading leading) {
                LocalTerm term = leading.term();
                newcomer.tell(late -> late.granted(term), () -> giveUp(term));
            }
            knownLeader().ifPresent(leader -> newcomer.tell(late -> late.leaderChanged(election, Optional.of(leader))));
            return state;
        });
    }

    /** Who leads, as far as listeners have been told. */
    private Optional<Candidate> knownLeader() {
        if (state instanceof Leading leading) {
            return settings.observe() ? Optional.of(leading.term().candidate()) : Optional.empty();
        }
        return election.otherLeader();
    }

    boolean awaitLeading(Duration timeout) throws InterruptedException {
        long remaining = TimeUnit.NANOSECONDS.convert(timeout);
        lock.lockInterruptibly();
        try {
            requireOpen();
            while (!(state instanceof Leading)) {
                if (remaining <= 0) {
                    return false;
                }
                remaining = changed.awaitNanos(remaining);
                requireOpen();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Makes one change, which may consist of others, and afterwards does what it brought about. */
    <T> T change(Supplier<T> change) {
        T result;
        lock.lock();
        try {
            result = change.get();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (!lock.isHeldByCurrentThread()) {
            for (Runnable next = next(); next != null; next = next()) {
                next.run();
            }
        }
        return result;
    }

    /** Nothing of a change that is not complete: it may be the draining, and the end not yet told. */
    private @Nullable Runnable next() {
        lock.lock();
        try {
            return outbox.poll();
        } finally {
            lock.unlock();
        }
    }
}
