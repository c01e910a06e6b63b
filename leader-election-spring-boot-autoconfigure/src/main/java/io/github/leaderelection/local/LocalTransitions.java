package io.github.leaderelection.local;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.local.LocalState.Leading;
import io.github.leaderelection.local.LocalState.Leaving;
import io.github.leaderelection.local.LocalState.Next;
import io.github.leaderelection.local.LocalState.Observing;
import io.github.leaderelection.local.LocalState.Waiting;
import io.github.leaderelection.support.ElectionPublisher;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** The state of an in-process election and its transitions. All methods except {@link #state()} require the lock. */
final class LocalTransitions {

    /** Shared by all elections of this process, so that any two tokens can be compared. */
    private static final AtomicLong TOKENS = new AtomicLong();

    private static final String LISTENER_FAILED = "A listener failed when leadership was granted";

    private final InProcessElection election;
    private final ElectionPublisher publisher;
    private final LocalSettings settings;
    private final ChangeLock lock;
    private volatile LocalState state = new Observing();
    private long nominations;
    private long terms;
    private int failures;

    LocalTransitions(InProcessElection election, ElectionPublisher publisher, LocalSettings settings, ChangeLock lock) {
        this.election = election;
        this.publisher = publisher;
        this.settings = settings;
        this.lock = lock;
    }

    LocalState state() {
        return state;
    }

    /** To be called before the change is published, because listeners have to see the new state. */
    private void become(LocalState next) {
        state = next;
        publisher.wakeWaiters();
    }

    void nominate() {
        if (state instanceof Observing) {
            failures = 0;
            publisher.log().nominated();
            join();
        } else if (state instanceof Leaving leaving) {
            become(new Leaving(Next.REJOIN, leaving.handedOver()));
        }
    }

    private void join() {
        election.joined(await(), failures);
    }

    private Candidate await() {
        String id = settings.candidateId().get();
        var self = new Candidate(id, settings.metadata(), settings.priority(), nominations++, Instant.now());
        become(new Waiting(self, failures == 0 ? Optional.empty() : Optional.of(LISTENER_FAILED)));
        return self;
    }

    /** Begins a term, unless that candidate no longer waits for one. */
    Optional<Leadership> lead(Candidate candidate) {
        if (!(state instanceof Waiting waiting) || !waiting.self().equals(candidate)) {
            return Optional.empty();
        }
        var term = new LocalTerm(
                election.name(), candidate, TOKENS.incrementAndGet(), ++terms, Instant.now(), this::isCurrent);
        become(new Leading(term));
        publisher.granted(term, null, null);
        if (settings.observe()) {
            publisher.leaderChanged(Optional.of(candidate));
        } else {
            publisher.forgetLeader();
        }
        return Optional.of(term);
    }

    private boolean isCurrent(LocalTerm term) {
        return state instanceof Leading leading && leading.term() == term;
    }

    /** Gives up a term because a listener failed. */
    void refuse(long term) {
        if (state instanceof Leading leading && leading.term().term() == term) {
            leave(RevocationReason.LISTENER_FAILED, Next.REJOIN);
        }
    }

    /** Ends the term without draining, as if the lease was lost, and waits for the next term. */
    void lose(RevocationReason reason) {
        if (state instanceof Leading leading) {
            countFailure(reason);
            Candidate self = await();
            revoke(leading.term(), reason);
            election.joined(self, failures);
        }
    }

    private void countFailure(RevocationReason reason) {
        failures = reason == RevocationReason.LISTENER_FAILED ? failures + 1 : 0;
    }

    private void revoke(LocalTerm term, RevocationReason reason) {
        publisher.revoked(term.term(), reason, Instant.now());
        if (settings.observe()) {
            publisher.leaderChanged(Optional.empty());
        }
    }

    /** Ends the term if there is one, drains, and continues with the next step; the result completes after that. */
    CompletableFuture<Instant> leave(RevocationReason reason, Next next) {
        LocalState before = state;
        boolean observing = before instanceof Observing;
        if (observing && next == Next.OBSERVE) {
            return CompletableFuture.completedFuture(Instant.now());
        }
        if (before instanceof Leaving leaving && leaving.next().isFinal()) {
            return leaving.handedOver();
        }
        var handedOver = before instanceof Leaving leaving ? leaving.handedOver() : new CompletableFuture<Instant>();
        become(new Leaving(next, handedOver));
        boolean drains = terms > 0 && !observing;
        if (drains && !(before instanceof Leaving)) {
            lock.execute(() -> publisher.whenDrained(() -> lock.change(this::drained)));
        }
        if (before instanceof Leading leading) {
            countFailure(reason);
            revoke(leading.term(), reason);
        }
        if (next == Next.END) {
            publisher.ended();
        }
        if (!drains) {
            drained();
        }
        return handedOver;
    }

    private void drained() {
        if (state instanceof Leaving leaving) {
            switch (leaving.next()) {
                case REJOIN -> join();
                case OBSERVE -> {
                    become(new Observing());
                    publisher.log().withdrawn();
                }
                case CLOSE -> publisher.log().closed();
                case END -> {}
            }
            lock.execute(() -> complete(leaving));
        }
    }

    private void complete(Leaving leaving) {
        boolean closed = leaving.next().isFinal();
        if (closed) {
            // First: a caller that has waited for the hand-over may open the election again.
            election.closed();
        }
        leaving.handedOver().complete(Instant.now());
        if (closed) {
            publisher.closed();
        }
    }
}
