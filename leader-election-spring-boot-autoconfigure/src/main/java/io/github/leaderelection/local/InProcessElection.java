package io.github.leaderelection.local;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.local.LocalState.Leading;
import io.github.leaderelection.local.LocalState.Next;
import io.github.leaderelection.support.DelayedTasks;
import io.github.leaderelection.support.ElectionGauges;
import io.github.leaderelection.support.ElectionMonitor;
import io.github.leaderelection.support.Electorate;
import io.github.leaderelection.support.ManagedElection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An election without a server, whose only candidate is this process; when that leads is up to the subclass. */
public abstract class InProcessElection implements ManagedElection {

    private final String name;
    private final String path;
    private final Duration drainTimeout;
    private final LeaderWork work = new LeaderWork();
    private final LocalTransitions transitions;
    private final CompletableFuture<Boolean> closure = new CompletableFuture<>();
    private final List<ElectionMonitor> monitors = new CopyOnWriteArrayList<>();

    // The transitions only keeps the election that it belongs to; it calls nothing of it yet.
    @SuppressWarnings("this-escape")
    protected InProcessElection(String name, String path, LocalSettings settings) {
        this.name = name;
        this.path = path;
        this.drainTimeout = settings.drainTimeout();
        this.transitions = new LocalTransitions(this, name, settings, work);
    }

    /**
     * This process has joined, and waits for {@link #lead}; called under the lock.
     *
     * @param failures how many terms in a row were given up because a listener failed
     */
    protected abstract void joined(Candidate self, int failures);

    /** This process has left for good, and its work has drained; those who wait for it are told afterwards. */
    protected void closed() {}

    final void tellClosed() {
        closure.complete(true);
    }

    final void overran() {
        ElectionMonitor.tell(name, monitors, ElectionMonitor::overran);
    }

    /** Who leads while this process does not. */
    protected Optional<Candidate> otherLeader() {
        return Optional.empty();
    }

    /** Begins a term; empty if that candidate does not wait for one any more. */
    protected final Optional<Leadership> lead(Candidate candidate) {
        return transitions.lead(candidate);
    }

    /** Begins a term some time later, unless that candidate does not wait for one any more by then. */
    protected final void leadLater(Candidate candidate, Duration delay) {
        DelayedTasks.run(delay, () -> transitions.lead(candidate));
    }

    /** Ends the term without draining, and waits for the next one. */
    protected final void lose(RevocationReason reason) {
        transitions.lose(reason);
    }

    /** Leaves for good, if it hasn't done so, and returns at once; completes when the work has drained. */
    protected final CompletableFuture<Instant> leaveForGood(RevocationReason reason) {
        return transitions.leave(reason, Next.CLOSE, any -> {});
    }

    /** Ends the election, and returns at once; completes when the work has drained. */
    protected final CompletableFuture<Instant> endForGood() {
        return transitions.leave(RevocationReason.ENDED, Next.END, before -> {
            if (!before.ended()) {
                transitions.requireOpen();
            }
        });
    }

    /** Tells that another candidate leads, or nobody does, in order with all other events. */
    protected final void changeOtherLeader(Runnable change) {
        transitions.change(() -> {
            transitions.requireOpen();
            change.run();
            Optional<Candidate> leader = otherLeader();
            transitions.listeners().tell(listener -> listener.leaderChanged(this, leader));
            return leader;
        });
    }

    /** Whether the calling thread may wait for a hand-over: not if the hand-over waits for it. */
    protected final boolean mayWait() {
        return !transitions.listeners().delivers() && !work.runsHere();
    }

    private void await(CompletableFuture<Instant> handedOver) {
        if (mayWait()) {
            handedOver.join();
        }
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String path() {
        return path;
    }

    @Override
    public final Role role() {
        return role(transitions.state());
    }

    private Role role(LocalState state) {
        Role role = state.role();
        return role == Role.CANDIDATE && otherLeader().isPresent() ? Role.FOLLOWER : role;
    }

    @Override
    public final boolean isLeader() {
        return transitions.state() instanceof Leading;
    }

    @Override
    public final Optional<Leadership> leadership() {
        return leadership(transitions.state());
    }

    private static Optional<Leadership> leadership(LocalState state) {
        return state instanceof Leading leading ? Optional.of(leading.term()) : Optional.empty();
    }

    @Override
    public final ElectionStatus status() {
        LocalState now = transitions.state();
        return new ElectionStatus(
                name, path, role(now), now.candidate(), Optional.empty(), leadership(now), now.error());
    }

    @Override
    public final void nominate() {
        transitions.nominate();
    }

    @Override
    public final boolean awaitLeadership(Duration timeout) throws InterruptedException {
        return transitions.awaitLeading(timeout);
    }

    @Override
    public final void stepDown() {
        await(transitions.leave(RevocationReason.STEPPED_DOWN, Next.REJOIN, any -> transitions.requireLeading()));
    }

    @Override
    public final CompletableFuture<Boolean> withdraw(RevocationReason reason) {
        return withdraw(reason, any -> {}).thenApply(left -> true);
    }

    @Override
    public final LeaderWork.@Nullable Permit admit() {
        return transitions.state() instanceof Leading leading ? work.admit(leading.term()) : null;
    }

    @Override
    public final void whenClosed(Runnable action) {
        closure.thenRun(action);
    }

    @Override
    public final CompletableFuture<Electorate> electorate() {
        LocalState now = transitions.state();
        return CompletableFuture.completedFuture(new Electorate(leader(now), candidates(now)));
    }

    @Override
    public final ElectionGauges gauges() {
        return new ElectionGauges(
                true, transitions.state().ended(), candidates().size(), isLeader() ? -1 : 0);
    }

    @Override
    public final void addMonitor(ElectionMonitor monitor) {
        monitors.add(monitor);
    }

    @Override
    public final void withdraw() {
        await(withdraw(RevocationReason.WITHDRAWN, any -> transitions.requireOpen()));
    }

    private CompletableFuture<Instant> withdraw(RevocationReason reason, Consumer<LocalState> precondition) {
        CompletableFuture<Instant> left = transitions.leave(reason, Next.OBSERVE, precondition);
        if (reason == RevocationReason.WITHDRAWN) {
            // After it: whoever looks at the role before that hears of it afterwards.
            ElectionMonitor.tell(name, monitors, ElectionMonitor::withdrawn);
        }
        return left;
    }

    /** {@inheritDoc} Unconfirmed only where the caller is a listener or leader-only work, for which it can't wait. */
    @Override
    public final Resignation resign() {
        var handedOver = transitions.leave(RevocationReason.RESIGNED, Next.CLOSE, any -> transitions.requireOpen());
        await(handedOver);
        return handedOver.isDone()
                ? new Resignation(Resignation.Outcome.CONFIRMED, handedOver.join())
                : new Resignation(Resignation.Outcome.UNCONFIRMED, Instant.now().plus(drainTimeout));
    }

    @Override
    public final void close() {
        await(leaveForGood(RevocationReason.RESIGNED));
    }

    @Override
    public final Optional<Candidate> leader() {
        return leader(transitions.state());
    }

    private Optional<Candidate> leader(LocalState now) {
        return leadership(now).map(Leadership::candidate).or(() -> otherLeader(now));
    }

    @Override
    public final List<Candidate> candidates() {
        return candidates(transitions.state());
    }

    private List<Candidate> candidates(LocalState now) {
        return Stream.concat(otherLeader(now).stream(), now.candidate().stream())
                .toList();
    }

    private Optional<Candidate> otherLeader(LocalState state) {
        return state instanceof Leading || state.ended() ? Optional.empty() : otherLeader();
    }

    @Override
    public final void delete() {
        await(endForGood());
    }

    @Override
    public final boolean runIfLeader(Consumer<Leadership> call) {
        transitions.requireOpen();
        return leadership().filter(term -> work.run(term, call)).isPresent();
    }

    @Override
    public final void addListener(ElectionListener listener) {
        transitions.add(listener);
    }

    @Override
    public final void removeListener(ElectionListener listener) {
        transitions.listeners().remove(listener);
    }

    @Override
    public String toString() {
        return "election '%s' at %s: %s".formatted(name, path, role());
    }
}
