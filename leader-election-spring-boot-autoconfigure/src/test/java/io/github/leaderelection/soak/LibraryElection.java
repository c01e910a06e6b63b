package io.github.leaderelection.soak;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.ElectionOptions;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** Uses the library as an application would. */
final class LibraryElection implements SoakElection, ElectionListener {

    private final HistoryWriter history;
    private final ZooKeeperElections elections;
    private final Election election;
    private volatile @Nullable ZooKeeper client;
    private volatile @Nullable Term lastTerm;

    LibraryElection(String id, String address, Duration session, HistoryWriter history) {
        this.history = history;
        ElectionOptions options = ElectionOptions.defaults()
                .candidate(id, Map.of())
                .failFast(false)
                .drainTimeout(Duration.ofMillis(500))
                .connectionTimeout(Duration.ofSeconds(5));
        elections = ZooKeeperElections.over(
                watcher -> client = new ZooKeeper(address, (int) session.toMillis(), watcher), options);
        election = elections.election("orders", ElectionAdministrator.PATH);
        election.addListener(this);
        election.nominate();
    }

    @Override
    public boolean isLeader() {
        return election.isLeader();
    }

    @Override
    public Optional<Term> term() {
        return election.leadership().map(LibraryElection::term);
    }

    private static Term term(Leadership term) {
        return new Term(term.term(), term.fencingToken(), term.guard(), term::isValid);
    }

    @Override
    public Optional<Term> lastTerm() {
        return Optional.ofNullable(lastTerm);
    }

    @Override
    public @Nullable ZooKeeper client() {
        return client;
    }

    @Override
    public void stepDown() {
        election.stepDown();
    }

    @Override
    public void withdrawAndReturn() {
        try {
            election.withdraw();
        } finally {
            election.nominate();
        }
    }

    @Override
    public void handOver(String candidateId) {
        history.note("handed over " + election.handOver(candidateId).outcome());
    }

    @Override
    public void granted(Leadership term) {
        lastTerm = term(term);
        history.granted(term.term(), term.fencingToken());
    }

    @Override
    public void revoked(Leadership term, RevocationReason reason) {
        history.revoked(term.term(), term.fencingToken(), reason.name(), term.isValid());
    }

    @Override
    public void failed(Election election, ElectionException cause) {
        history.note("failed " + cause.getMessage());
    }

    @Override
    public void close() {
        elections.close();
    }
}
