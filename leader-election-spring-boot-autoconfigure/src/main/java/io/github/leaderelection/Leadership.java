package io.github.leaderelection;

import java.time.Instant;
import java.util.Optional;
import org.apache.zookeeper.Op;

/** A term of leadership. It is granted once and revoked once, and is never valid again. */
public interface Leadership {

    /** The name of the election. */
    String election();

    Candidate candidate();

    /** Increases from each leader to the next. Store it with each write, and reject writes with a smaller token. */
    long fencingToken();

    /** The number of the term, starting at 1 for each election object. */
    long term();

    Instant since();

    /** Whether this term is still valid, according to its lease. */
    boolean isValid();

    /**
     * Verifies that this term is still valid.
     *
     * @throws NotLeaderException if it is not
     */
    default void requireValid() {
        if (!isValid()) {
            throw new NotLeaderException(
                    "Term %d of election '%s' has ended (candidate %s, fencing token %d)"
                            .formatted(term(), election(), candidate().id(), fencingToken()),
                    election());
        }
    }

    /**
     * Returns an operation for your own {@code multi}: the transaction fails once another candidate can lead.
     *
     * @throws UnsupportedOperationException if the election does not use ZooKeeper
     */
    Op guard();

    /** Returns the term of the leader-only call that is running on the current thread. */
    static Optional<Leadership> current() {
        return LeaderWork.current();
    }
}
