package io.github.leaderelection;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An election for one resource, as seen from this process. Thread-safe.
 *
 * <p>At most one candidate's {@link #isLeader()} is true at any time, provided that the clocks of the instances run at rates
 * that agree within 10 %. This does not cover writes that were already on their way when the lease ended: protect the
 * resource with the {@link Leadership#fencingToken() fencing token} or with {@link Leadership#guard()}.
 */
public interface Election extends AutoCloseable {

    String name();

    String path();

    Role role();

    /** Whether this process leads now. Checks the lease on each call, without a lock and without access to ZooKeeper. */
    boolean isLeader();

    /** The current term; present exactly while {@link #isLeader()} is true. */
    Optional<Leadership> leadership();

    ElectionStatus status();

    /** Nominates this process for leadership, and returns at once. Has no effect if it is nominated already. */
    void nominate();

    /**
     * Waits until this process leads, or the timeout has elapsed; returns whether it leads.
     *
     * @throws IllegalStateException if an application has not joined its elections yet, or is configured not to
     * @throws ElectionClosedException if the election was closed, or is closed while waiting
     */
    boolean awaitLeadership(Duration timeout) throws InterruptedException;

    /**
     * Drains leader-only work, hands over leadership and moves to the end of the queue. Returns after the hand-over.
     *
     * @throws IllegalStateException if this process does not lead
     * @throws ElectionConnectionException if it does not complete in time; it continues in the background
     */
    void stepDown();

    /**
     * Moves leadership to the given candidate. May be called on any instance: the leader drains its leader-only work
     * and hands over. Nothing changes unless the outcome is {@link HandOver.Outcome#DONE}. There are two exceptions,
     * in which {@link HandOver.Outcome#NOT_ANSWERED} means that the hand-over continues in the background: the caller
     * is a listener or leader-only work of the leader, for which the hand-over waits; or the leader is still draining,
     * because its drain timeout is longer than that of this instance.
     *
     * @throws ElectionConnectionException if there is no connection to ZooKeeper
     */
    HandOver handOver(String candidateId);

    /**
     * Drains leader-only work and leaves the queue. Returns after the node is gone. {@link #nominate()} joins again.
     *
     * @throws ElectionConnectionException if it does not complete in time; it continues in the background
     */
    void withdraw();

    /**
     * Leaves permanently. Afterwards queries still work, closing and removing listeners have no effect,
     * {@link #runIfLeader} returns false, and all other methods throw {@link ElectionClosedException}.
     */
    Resignation resign();

    /** Resigns, without reporting a failure. */
    @Override
    void close();

    /**
     * Reads the current leader from ZooKeeper. Works on every instance, candidate or not.
     *
     * @throws ElectionConnectionException if ZooKeeper does not answer in time
     */
    Optional<Candidate> leader();

    /**
     * Reads all candidates from ZooKeeper: the leader first, then by age. Among candidates of the same priority, this
     * is the order in which they are next in line.
     *
     * @throws ElectionConnectionException if ZooKeeper does not answer in time
     */
    List<Candidate> candidates();

    /**
     * Ends the election for all instances: all candidates are notified, and none joins again by itself. Returns after the
     * last leader has stopped leading. If the election has ended already, deletes the remaining nodes.
     *
     * @throws ElectionConnectionException if it does not complete in time; it continues in the background
     */
    void delete();

    /**
     * Runs the work if this process leads; returns whether it did. The work counts as leader-only: a hand-over waits for it
     * until the drain timeout has elapsed, and interrupts it then. It is interrupted at once if leadership is
     * {@linkplain RevocationReason#isLoss() lost}. Work that leader-only work of this election starts on the same
     * thread belongs to that work, and runs even if the term has ended.
     */
    boolean runIfLeader(Consumer<Leadership> work);

    /** Adds a listener, and notifies it of the current state at once. */
    void addListener(ElectionListener listener);

    void removeListener(ElectionListener listener);
}
