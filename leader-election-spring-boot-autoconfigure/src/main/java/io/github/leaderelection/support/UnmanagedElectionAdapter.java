package io.github.leaderelection.support;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.HandOver;
import io.github.leaderelection.LeaderOnly.WhenRevoked;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Manages an election of another implementation, as far as its public API permits: a hand-over does not wait for
 * leader-only work that is admitted here, and there are neither gauges nor monitors.
 */
final class UnmanagedElectionAdapter implements ManagedElection {

    private static final ElectionGauges UNKNOWN = new ElectionGauges(true, false, 0, 0, null);

    private final Election election;
    private final LeaderWork work = new LeaderWork();

    UnmanagedElectionAdapter(Election election) {
        this.election = election;
    }

    @Override
    public LeaderWork.@Nullable Permit admit(WhenRevoked whenRevoked, Supplier<String> name) {
        return work.admit(election.leadership().orElse(null), whenRevoked, name);
    }

    /** Steps down, so that another instance leads. This instance rejoins without a pause. */
    @Override
    public void refuse(Leadership term) {
        if (term.isValid()) {
            election.stepDown();
        }
    }

    @Override
    public CompletableFuture<Boolean> withdraw(RevocationReason reason) {
        boolean candidate = election.role() != Role.OBSERVER && election.role() != Role.CLOSED;
        return candidate
                ? CompletableFuture.runAsync(election::withdraw).thenApply(withdrawn -> true)
                : CompletableFuture.completedFuture(true);
    }

    /** The action is never called, because an election does not announce that it was closed. */
    @Override
    public void whenClosed(Runnable action) {}

    @Override
    public CompletableFuture<Electorate> electorate() {
        return CompletableFuture.supplyAsync(
                () -> new Electorate(election.leader(), election.candidates(), Optional.empty()));
    }

    @Override
    public ElectionGauges gauges() {
        return UNKNOWN;
    }

    @Override
    public void addMonitor(ElectionMonitor monitor) {}

    @Override
    public String name() {
        return election.name();
    }

    @Override
    public String path() {
        return election.path();
    }

    @Override
    public Role role() {
        return election.role();
    }

    @Override
    public boolean isLeader() {
        return election.isLeader();
    }

    @Override
    public Optional<Leadership> leadership() {
        return election.leadership();
    }

    @Override
    public ElectionStatus status() {
        return election.status();
    }

    @Override
    public void nominate() {
        election.nominate();
    }

    @Override
    public boolean awaitLeadership(Duration timeout) throws InterruptedException {
        return election.awaitLeadership(timeout);
    }

    @Override
    public void stepDown() {
        election.stepDown();
    }

    @Override
    public HandOver handOver(String candidateId) {
        return election.handOver(candidateId);
    }

    @Override
    public void withdraw() {
        election.withdraw();
    }

    @Override
    public Resignation resign() {
        return election.resign();
    }

    @Override
    public void close() {
        election.close();
    }

    @Override
    public Optional<Candidate> leader() {
        return election.leader();
    }

    @Override
    public List<Candidate> candidates() {
        return election.candidates();
    }

    @Override
    public void delete() {
        election.delete();
    }

    @Override
    public boolean runIfLeader(Consumer<Leadership> work) {
        return election.runIfLeader(work);
    }

    @Override
    public void addListener(ElectionListener listener) {
        election.addListener(listener);
    }

    @Override
    public void removeListener(ElectionListener listener) {
        election.removeListener(listener);
    }
}
