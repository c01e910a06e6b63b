package io.github.leaderelection.local;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Leadership;
import java.time.Instant;
import java.util.function.Predicate;
import org.apache.zookeeper.Op;

/** A term that holds as long as its election says so. */
final class LocalTerm implements Leadership {

    private final String election;
    private final Candidate candidate;
    private final long term;
    private final Instant since = Instant.now();
    private final Predicate<LocalTerm> holds;

    LocalTerm(String election, Candidate candidate, long term, Predicate<LocalTerm> holds) {
        this.election = election;
        this.candidate = candidate;
        this.term = term;
        this.holds = holds;
    }

    @Override
    public String election() {
        return election;
    }

    @Override
    public Candidate candidate() {
        return candidate;
    }

    @Override
    public long fencingToken() {
        return candidate.fencingToken();
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public Instant since() {
        return since;
    }

    @Override
    public boolean isValid() {
        return holds.test(this);
    }

    @Override
    public Op guard() {
        throw new UnsupportedOperationException(
                "Election '%s' lives inside this process: there is no ZooKeeper node that a transaction could check. Use fencingToken() here, or an election on ZooKeeper"
                        .formatted(election));
    }

    @Override
    public String toString() {
        return "term %d of election '%s' (candidate %s, fencing token %d)"
                .formatted(term, election, candidate.id(), fencingToken());
    }
}
