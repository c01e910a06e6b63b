package io.github.leaderelection;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An election for one resource, seen from this process; safe for use by any number of threads.
 *
 * <p>At any instant at most one candidate's {@link #isLeader()} is true, as long as the clocks of the instances run at
 * rates that agree within 10 %. That says nothing about a write that was already on its way when the lease ended:
 * protect the resource with the {@link Leadership#fencingToken() fencing token} or with {@link Leadership#guard()}.
 */
public interface Election extends AutoCloseable {

    String name();

    String path();

    Role role();

    /** Whether this process leads now. Looks at the lease on every call; takes no lock and asks nobody. */
    boolean isLeader();

    /** The current term; present exactly while {@link #isLeader()}. */
    Optional<Leadership> leadership();

    ElectionStatus status();

    /** Asks for leadership, and returns at once. Nominating again changes nothing. */
    void nominate();

    /**
     * Waits until this process leads, at most for the timeout; says whether it does.
     *
     * @throws ElectionClosedException if it was closed, also meanwhile
     */
    boolean awaitLeadership(Duration timeout) throws InterruptedException;

    /**
     * Drains leader-only work, hands over, and goes to the end of the queue; returns once handed over.
     *
     * @throws IllegalStateException if this process does not lead
     * @throws ElectionConnectionException if it is not done in time; it goes on in the background
     */
    void stepDown();

    /**
     * Drains leader-only work and leaves the queue; returns once the node is gone. {@link #nominate()} joins again.
     *
     * @throws ElectionConnectionException if it is not done in time; it goes on in the background
     */
    void withdraw();

    /**
     * Leaves for good. Afterwards queries are answered, closing it and removing listeners change nothing, and everything
     * else throws {@link ElectionClosedException}.
     */
    Resignation resign();

    /** Resigns as well as it can, and never throws. */
    @Override
    void close();

    /**
     * Who leads now, read from ZooKeeper; any instance may ask.
     *
     * @throws ElectionConnectionException if ZooKeeper does not answer in time
     */
    Optional<Candidate> leader();

    /**
     * All candidates in the order of the queue, the leader first, read from ZooKeeper.
     *
     * @throws ElectionConnectionException if ZooKeeper does not answer in time
     */
    List<Candidate> candidates();

    /**
     * Ends the election for everyone: each candidate is told, and none joins again by itself. Returns once nobody leads it
     * any more; of an election that has ended already it deletes what is left.
     *
     * @throws ElectionConnectionException if it is not done in time; it goes on in the background
     */
    void delete();

    /**
     * Runs the work if this process leads; says whether it did. The work counts as leader-only: it is drained before
     * the leadership is handed over, and interrupted when the drain timeout is over.
     */
    boolean runIfLeader(Consumer<Leadership> work);

    /** Adds a listener, which is told the current state at once. */
    void addListener(ElectionListener listener);

    void removeListener(ElectionListener listener);
}
