package io.github.leaderelection;

import java.time.Instant;
import java.util.Optional;
import org.apache.zookeeper.Op;

/** One term of leadership: granted once, revoked once, never valid again. */
public interface Leadership {

    /** The name of the election. */
    String election();

    Candidate candidate();

    /** Grows from each leader to the next; store it with what you write, and refuse what comes with a smaller one. */
    long fencingToken();

    /** 1, 2, 3 … as this election object has counted them. */
    long term();

    Instant since();

    /** Whether this very term still holds, by its lease. */
    boolean isValid();

    /**
     * Demands that this term still holds.
     *
     * @throws NotLeaderException if it does not
     */
    default void requireValid() {
        if (!isValid()) {
            throw new NotLeaderException("Term %d of election '%s' is over (candidate %s, fencing token %d)"
                    .formatted(term(), election(), candidate().id(), fencingToken()));
        }
    }

    /**
     * An operation to put into your own {@code multi}: that transaction fails once anybody else can lead.
     *
     * @throws UnsupportedOperationException where there is no ZooKeeper
     */
    Op guard();

    /** The term that admitted the leader-only call that is running on this thread. */
    static Optional<Leadership> current() {
        return LeaderWork.current();
    }
}
