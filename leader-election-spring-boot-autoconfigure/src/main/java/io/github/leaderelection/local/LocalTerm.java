package io.github.leaderelection.local;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Leadership;
import java.time.Instant;
import java.util.function.Predicate;
import org.apache.zookeeper.Op;

/** A term without a lease: it is valid while it is the current term of its election. */
record LocalTerm(
        String election,
        Candidate candidate,
        long fencingToken,
        long term,
        Instant since,
        Predicate<LocalTerm> isCurrent)
        implements Leadership {

    @Override
    public boolean isValid() {
        return isCurrent.test(this);
    }

    @Override
    public Op guard() {
        throw new UnsupportedOperationException(
                "Election '%s' is local to this process and has no ZooKeeper node that a transaction could check. Use fencingToken(), or an election on ZooKeeper"
                        .formatted(election));
    }

    @Override
    public String toString() {
        return "term %d of election '%s' (candidate %s, fencing token %d)"
                .formatted(term, election, candidate.id(), fencingToken);
    }
}
