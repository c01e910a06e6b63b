package io.github.leaderelection.support;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.Position.Leading;
import io.github.leaderelection.support.Position.Next;
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
    private final Standing standing;
    private final CompletableFuture<Boolean> closure = new CompletableFuture<>();
    private final List<ElectionMonitor> monitors = new CopyOnWriteArrayList<>();

    // The standing only keeps the election that it belongs to; it calls nothing of it yet.
    @SuppressWarnings("this-escape")
    protected InProcessElection(String name, String path, Setup setup) {
        this.name = name;
        this.path = path;
        this.drainTimeout = setup.drainTimeout();
        this.standing = new Standing(this, name, setup, work);
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
        return standing.lead(candidate);
    }

    /** Begins a term some time later, unless that candidate does not wait for one any more by then. */
    protected final void leadLater(Candidate candidate, Duration delay) {
        DelayedTasks.run(delay, () -> standing.lead(candidate));
    }

    /** Ends the term without draining, and waits for the next one. */
    protected final void lose(RevocationReason reason) {
        standing.lose(reason);
    }

    /** Leaves for good, if it hasn't done so, and returns at once; completes when the work has drained. */
    protected final CompletableFuture<Instant> leaveForGood(RevocationReason reason) {
        return standing.leave(reason, Next.CLOSE, any -> {});
    }

    /** Ends the election, and returns at once; completes when the work has drained. */
    protected final CompletableFuture<Instant> endForGood() {
        return standing.leave(RevocationReason.ENDED, Next.END, before -> {
            if (!before.ended()) {
                standing.requireOpen();
            }
        });
    }

    /** Tells that another candidate leads, or nobody does, in order with all other events. */
    protected final void changeOtherLeader(Runnable change) {
        standing.change(() -> {
            standing.requireOpen();
            change.run();
            Optional<Candidate> leader = otherLeader();
            standing.listeners().tell(listener -> listener.leaderChanged(this, leader));
            return leader;
        });
    }

    /** Whether the calling thread may wait for a hand-over: not if the hand-over waits for it. */
    protected final boolean mayWait() {
        return !standing.listeners().delivers() && !work.runsHere();
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
        return role(standing.position());
    }

    private Role role(Position position) {
        Role role = position.role();
        return role == Role.CANDIDATE && otherLeader().isPresent() ? Role.FOLLOWER : role;
    }

    @Override
    public final boolean isLeader() {
        return standing.position() instanceof Leading;
    }

    @Override
    public final Optional<Leadership> leadership() {
        return leadership(standing.position());
    }

    private static Optional<Leadership> leadership(Position position) {
        return position instanceof Leading leading ? Optional.of(leading.term()) : Optional.empty();
    }

    @Override
    public final ElectionStatus status() {
        Position now = standing.position();
        return new ElectionStatus(
                name, path, role(now), now.candidate(), Optional.empty(), leadership(now), now.error());
    }

    @Override
    public final void nominate() {
        standing.nominate();
    }

    @Override
    public final boolean awaitLeadership(Duration timeout) throws InterruptedException {
        return standing.awaitLeading(timeout);
    }

    @Override
    public final void stepDown() {
        await(standing.leave(RevocationReason.STEPPED_DOWN, Next.REJOIN, any -> standing.requireLeading()));
    }

    @Override
    public final CompletableFuture<Boolean> withdraw(RevocationReason reason) {
        return withdraw(reason, any -> {}).thenApply(left -> true);
    }

    @Override
    public final LeaderWork.@Nullable Permit admit() {
        return standing.position() instanceof Leading leading ? work.admit(leading.term()) : null;
    }

    @Override
    public final void whenClosed(Runnable action) {
        closure.thenRun(action);
    }

    @Override
    public final CompletableFuture<Electorate> electorate() {
        Position now = standing.position();
        return CompletableFuture.completedFuture(new Electorate(leader(now), candidates(now)));
    }

    @Override
    public final ElectionGauges gauges() {
        return new ElectionGauges(
                true, standing.position().ended(), candidates().size(), isLeader() ? -1 : 0);
    }

    @Override
    public final void addMonitor(ElectionMonitor monitor) {
        monitors.add(monitor);
    }

    @Override
    public final void withdraw() {
        await(withdraw(RevocationReason.WITHDRAWN, any -> standing.requireOpen()));
    }

    private CompletableFuture<Instant> withdraw(RevocationReason reason, Consumer<Position> precondition) {
        CompletableFuture<Instant> left = standing.leave(reason, Next.OBSERVE, precondition);
        if (reason == RevocationReason.WITHDRAWN) {
            // After it: whoever looks at the role before that hears of it afterwards.
            ElectionMonitor.tell(name, monitors, ElectionMonitor::withdrawn);
        }
        return left;
    }

    /** {@inheritDoc} Unconfirmed only where the caller is a listener or leader-only work, for which it can't wait. */
    @Override
    public final Resignation resign() {
        var handedOver = standing.leave(RevocationReason.RESIGNED, Next.CLOSE, any -> standing.requireOpen());
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
        return leader(standing.position());
    }

    private Optional<Candidate> leader(Position now) {
        return leadership(now).map(Leadership::candidate).or(() -> otherLeader(now));
    }

    @Override
    public final List<Candidate> candidates() {
        return candidates(standing.position());
    }

    private List<Candidate> candidates(Position now) {
        return Stream.concat(otherLeader(now).stream(), now.candidate().stream())
                .toList();
    }

    private Optional<Candidate> otherLeader(Position position) {
        return position instanceof Leading || position.ended() ? Optional.empty() : otherLeader();
    }

    @Override
    public final void delete() {
        await(endForGood());
    }

    @Override
    public final boolean runIfLeader(Consumer<Leadership> call) {
        standing.requireOpen();
        return leadership().filter(term -> work.run(term, call)).isPresent();
    }

    @Override
    public final void addListener(ElectionListener listener) {
        standing.add(listener);
    }

    @Override
    public final void removeListener(ElectionListener listener) {
        standing.listeners().remove(listener);
    }

    @Override
    public String toString() {
        return "election '%s' at %s: %s".formatted(name, path, role());
    }
}
