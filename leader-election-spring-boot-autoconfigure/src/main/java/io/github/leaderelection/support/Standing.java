package io.github.leaderelection.support;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.Position.Closed;
import io.github.leaderelection.support.Position.Leading;
import io.github.leaderelection.support.Position.Leaving;
import io.github.leaderelection.support.Position.Next;
import io.github.leaderelection.support.Position.Observing;
import io.github.leaderelection.support.Position.Waiting;
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
 * The changes of position of one in-process election. They happen under a lock, and listeners are told in their order;
 * whatever runs foreign code waits in the outbox until the lock is free.
 */
final class Standing {

    /** One for all elections of this process, so that tokens grow wherever they are compared. */
    private static final AtomicLong TOKENS = new AtomicLong();

    private static final String LISTENER_FAILED = "A listener failed when leadership was granted";

    private final InProcessElection election;
    private final Setup setup;
    private final LeaderWork work;
    private final Listeners listeners;
    private final ElectionLog electionLog;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Runnable> outbox = new ConcurrentLinkedQueue<>();
    private volatile Position position = new Observing();
    private long nominations;
    private long terms;
    private int failures;

    Standing(InProcessElection election, String name, Setup setup, LeaderWork work) {
        this.election = election;
        this.setup = setup;
        this.work = work;
        this.electionLog = new ElectionLog(name, setup.candidateId());
        this.listeners = new Listeners(
                name, delivery -> outbox.add(() -> setup.executor().execute(delivery)));
    }

    Position position() {
        return position;
    }

    Listeners listeners() {
        return listeners;
    }

    boolean holds(InProcessTerm term) {
        return position instanceof Leading leading && leading.term() == term;
    }

    void requireOpen() {
        if (position.role() == Role.CLOSED) {
            throw new ElectionClosedException("Election '%s' was %s in this process; only queries are answered"
                    .formatted(election.name(), position.ended() ? "deleted" : "resigned or closed"));
        }
    }

    void nominate() {
        change(() -> {
            requireOpen();
            if (position instanceof Observing) {
                failures = 0;
                electionLog.nominated();
                join(false);
            } else if (position instanceof Leaving leaving) {
                position = leaving.then(Next.REJOIN);
            }
            return position;
        });
    }

    private void join(boolean mayHaveWork) {
        var self = new Candidate(
                setup.candidateId().get(), setup.metadata(), nominations++, TOKENS.incrementAndGet(), Instant.now());
        position = new Waiting(self, failures == 0 ? Optional.empty() : Optional.of(LISTENER_FAILED), mayHaveWork);
        election.joined(self, failures);
    }

    /** Begins a term, unless that candidate does not wait for one any more. */
    Optional<Leadership> lead(Candidate candidate) {
        return change(() -> {
            if (!(position instanceof Waiting waiting) || !waiting.self().equals(candidate)) {
                return Optional.empty();
            }
            var term = new InProcessTerm(election.name(), candidate, ++terms, this::holds);
            position = new Leading(term);
            electionLog.granted(term, null);
            listeners.tell(listener -> listener.granted(term), () -> giveUp(term));
            tellLeader(Optional.of(candidate));
            return Optional.of(term);
        });
    }

    private void giveUp(InProcessTerm term) {
        change(() -> holds(term)
                && !leave(RevocationReason.LISTENER_FAILED, Next.REJOIN, any -> {})
                        .isDone());
    }

    /** Ends the term at once and waits for the next one, as when a lease is lost: nothing drains. */
    void lose(RevocationReason reason) {
        change(() -> {
            revoke(requireLeading().term(), reason);
            join(true);
            return position;
        });
    }

    private void revoke(InProcessTerm term, RevocationReason reason) {
        failures = reason == RevocationReason.LISTENER_FAILED ? failures + 1 : 0;
        electionLog.revoked(term, reason, Duration.between(term.since(), Instant.now()));
        outbox.add(work::revoke);
        listeners.tell(listener -> listener.revoked(term, reason));
        tellLeader(Optional.empty());
    }

    private void tellLeader(Optional<Candidate> leader) {
        if (setup.observe()) {
            listeners.tell(listener -> listener.leaderChanged(election, leader));
        }
    }

    Leading requireLeading() {
        if (position instanceof Leading leading) {
            return leading;
        }
        requireOpen();
        throw new IllegalStateException(
                "This process does not lead election '%s'; its role is %s".formatted(election.name(), position.role()));
    }

    /** Ends the term, if there is one, and goes on to what is next when it has drained; completes after that. */
    CompletableFuture<Instant> leave(RevocationReason reason, Next next, Consumer<Position> precondition) {
        return change(() -> {
            Position before = position;
            precondition.accept(before);
            if (before instanceof Closed closed) {
                return closed.handedOver();
            }
            if (before instanceof Leaving leaving) {
                position = leaving.role() == Role.CLOSED ? leaving : leaving.then(next);
                tellIfEnded(before);
                return leaving.handedOver();
            }
            var handedOver = new CompletableFuture<Instant>();
            if (before.mayHaveWork()) {
                position = new Leaving(next, handedOver);
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

    private void tellIfEnded(Position before) {
        if (position.ended() && !before.ended()) {
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
                setup.drainTimeout(),
                DelayedTasks::run,
                overran -> change(() -> {
                    if (overran) {
                        outbox.add(election::overran);
                    }
                    if (position instanceof Leaving leaving) {
                        arrive(leaving.next(), handedOver);
                    }
                    return position;
                }));
    }

    private void arrive(Next next, CompletableFuture<Instant> handedOver) {
        Position before = position;
        switch (next) {
            case REJOIN -> join(false);
            case OBSERVE -> observe();
            case CLOSE, END -> close(next == Next.END, handedOver);
        }
        tellIfEnded(before);
        boolean closed = position instanceof Closed;
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
        if (!(position instanceof Observing)) {
            position = new Observing();
            electionLog.withdrawn();
        }
    }

    private void close(boolean ended, CompletableFuture<Instant> handedOver) {
        position = new Closed(ended, handedOver);
        if (!ended) {
            electionLog.closed();
        }
    }

    void add(ElectionListener listener) {
        change(() -> {
            requireOpen();
            Listeners.Audience newcomer = listeners.add(listener);
            if (position instanceof Leading leading) {
                InProcessTerm term = leading.term();
                newcomer.tell(late -> late.granted(term), () -> giveUp(term));
            }
            knownLeader().ifPresent(leader -> newcomer.tell(late -> late.leaderChanged(election, Optional.of(leader))));
            return position;
        });
    }

    /** Who leads, as far as listeners have been told. */
    private Optional<Candidate> knownLeader() {
        if (position instanceof Leading leading) {
            return setup.observe() ? Optional.of(leading.term().candidate()) : Optional.empty();
        }
        return election.otherLeader();
    }

    boolean awaitLeading(Duration timeout) throws InterruptedException {
        long remaining = TimeUnit.NANOSECONDS.convert(timeout);
        lock.lockInterruptibly();
        try {
            requireOpen();
            while (!(position instanceof Leading)) {
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
