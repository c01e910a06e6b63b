package io.github.leaderelection.local;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.HandOver;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.local.LocalState.Leading;
import io.github.leaderelection.local.LocalState.Next;
import io.github.leaderelection.support.AbstractElection;
import io.github.leaderelection.support.DelayedTasks;
import io.github.leaderelection.support.Delivery;
import io.github.leaderelection.support.ElectionGauges;
import io.github.leaderelection.support.Electorate;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An election without a server, in which this process is the only candidate, except for a leader that a subclass
 * simulates. Subclasses decide when this process leads.
 */
public abstract class InProcessElection extends AbstractElection {

    private final LocalSettings settings;
    private final ChangeLock lock;
    private final LocalTransitions transitions;

    protected InProcessElection(String name, String path, LocalSettings settings) {
        this(name, path, settings, new ChangeLock());
    }

    // The transitions do not use the reference before the first change.
    @SuppressWarnings("this-escape")
    private InProcessElection(String name, String path, LocalSettings settings, ChangeLock lock) {
        super(name, path, delivery(settings, lock));
        this.settings = settings;
        this.lock = lock;
        this.transitions = new LocalTransitions(this, publisher(), settings, lock);
    }

    private static Delivery delivery(LocalSettings settings, ChangeLock lock) {
        return new Delivery(
                settings.candidateId(),
                events -> lock.execute(() -> settings.executor().execute(events)),
                lock,
                settings.drainTimeout(),
                DelayedTasks::run);
    }

    /**
     * This process has joined and waits for {@link #lead}; called under the lock.
     *
     * @param failures how many terms in a row were given up because a listener failed
     */
    protected abstract void joined(Candidate self, int failures);

    /** This process has left, and its work has drained. Called before callers that wait for that return. */
    protected void closed() {}

    /** The leader while this process does not lead. */
    protected Optional<Candidate> otherLeader() {
        return Optional.empty();
    }

    /** Whether no listener is busy with the last term, except a listener that calls this method. */
    protected final boolean mayLead() {
        return publisher().isHeard() || callsFromWithin();
    }

    /** Begins a term; empty if that candidate no longer waits for one. */
    protected final Optional<Leadership> lead(Candidate candidate) {
        return lock.change(() -> transitions.lead(candidate));
    }

    /** Ends the term without draining, and waits for the next one. */
    protected final void lose(RevocationReason reason) {
        lock.change(() -> {
            requireLeader();
            transitions.lose(reason);
        });
    }

    /** Leaves for good without waiting; completes when the work has drained. */
    protected final CompletableFuture<Instant> leaveForGood(RevocationReason reason) {
        return lock.change(() -> transitions.leave(reason, Next.CLOSE));
    }

    /** Ends the election without waiting; completes when the work has drained. */
    protected final CompletableFuture<Instant> endForGood() {
        return lock.change(() -> {
            if (!state().ended()) {
                requireOpen();
            }
            return transitions.leave(RevocationReason.ENDED, Next.END);
        });
    }

    /** Changes the result of {@link #otherLeader()}, and publishes the new leader. */
    protected final void changeOtherLeader(Runnable change) {
        lock.change(() -> {
            requireOpen();
            change.run();
            publisher().leaderChanged(otherLeader());
        });
    }

    private void await(CompletableFuture<Instant> handedOver) {
        if (!callsFromWithin()) {
            handedOver.join();
        }
    }

    private LocalState state() {
        return transitions.state();
    }

    @Override
    protected final @Nullable Leadership term() {
        return state() instanceof Leading leading ? leading.term() : null;
    }

    @Override
    protected final boolean isClosed() {
        return state().role() == Role.CLOSED;
    }

    @Override
    protected final void refused(long term) {
        lock.change(() -> transitions.refuse(term));
    }

    @Override
    public final ElectionStatus status() {
        LocalState now = state();
        Role role = now.role() == Role.CANDIDATE && otherLeader().isPresent() ? Role.FOLLOWER : now.role();
        Optional<Leadership> leadership =
                now instanceof Leading leading ? Optional.of(leading.term()) : Optional.empty();
        Optional<String> error = Optional.ofNullable(publisher().obstacle()).or(now::error);
        return new ElectionStatus(name(), path(), role, now.candidate(), Optional.empty(), leadership, error);
    }

    @Override
    public final void nominate() {
        lock.change(() -> {
            requireOpen();
            transitions.nominate();
        });
    }

    @Override
    public final void stepDown() {
        await(lock.change(() -> {
            requireLeader();
            return transitions.leave(RevocationReason.STEPPED_DOWN, Next.REJOIN);
        }));
    }

    /** {@inheritDoc} Another leader is only simulated, and never answers. */
    @Override
    public final HandOver handOver(String candidateId) {
        requireOpen();
        Electorate now = electorate(state());
        List<Candidate> meant = now.candidates().stream()
                .filter(candidate -> candidate.id().equals(candidateId))
                .toList();
        HandOver.Outcome outcome = HandOver.Outcome.NOT_ANSWERED;
        if (now.leader().isEmpty()) {
            outcome = HandOver.Outcome.NO_LEADER;
        } else if (meant.isEmpty()) {
            outcome = HandOver.Outcome.NO_SUCH_CANDIDATE;
        } else if (meant.size() > 1) {
            outcome = HandOver.Outcome.AMBIGUOUS_CANDIDATE;
        } else if (meant.equals(now.leader().stream().toList())) {
            outcome = HandOver.Outcome.ALREADY_LEADS;
        }
        return new HandOver(outcome, now.leader());
    }

    @Override
    public final void withdraw() {
        await(lock.change(() -> {
            requireOpen();
            return leaveQueue(RevocationReason.WITHDRAWN);
        }));
    }

    @Override
    public final CompletableFuture<Boolean> withdraw(RevocationReason reason) {
        return lock.change(() -> leaveQueue(reason)).thenApply(left -> true);
    }

    private CompletableFuture<Instant> leaveQueue(RevocationReason reason) {
        CompletableFuture<Instant> left = transitions.leave(reason, Next.OBSERVE);
        if (reason == RevocationReason.WITHDRAWN) {
            publisher().withdrawn();
        }
        return left;
    }

    /** {@inheritDoc} Unconfirmed only if the caller is a listener or leader-only work, which cannot wait for itself. */
    @Override
    public final Resignation resign() {
        var handedOver = lock.change(() -> {
            requireOpen();
            return transitions.leave(RevocationReason.RESIGNED, Next.CLOSE);
        });
        await(handedOver);
        return handedOver.isDone()
                ? new Resignation(Resignation.Outcome.CONFIRMED, handedOver.join())
                : new Resignation(Resignation.Outcome.UNCONFIRMED, Instant.now().plus(settings.drainTimeout()));
    }

    @Override
    public final void close() {
        await(leaveForGood(RevocationReason.RESIGNED));
    }

    @Override
    public final void delete() {
        await(endForGood());
    }

    @Override
    public final Optional<Candidate> leader() {
        return electorate(state()).leader();
    }

    @Override
    public final List<Candidate> candidates() {
        return electorate(state()).candidates();
    }

    @Override
    public final CompletableFuture<Electorate> electorate() {
        return CompletableFuture.completedFuture(electorate(state()));
    }

    private Electorate electorate(LocalState now) {
        Optional<Candidate> self = now.candidate();
        Optional<Candidate> other = now instanceof Leading || now.ended() ? Optional.empty() : otherLeader();
        return new Electorate(
                now instanceof Leading ? self : other,
                Stream.concat(other.stream(), self.stream()).toList(),
                Optional.empty());
    }

    @Override
    public final ElectionGauges gauges() {
        return new ElectionGauges(true, state().ended(), candidates().size(), isLeader() ? -1 : 0, null);
    }

    @Override
    public final void addListener(ElectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        lock.change(() -> {
            requireOpen();
            publisher().add(listener);
        });
    }
}
