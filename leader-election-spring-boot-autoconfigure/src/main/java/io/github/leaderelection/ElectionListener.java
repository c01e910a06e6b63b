package io.github.leaderelection;

import java.util.Optional;

/**
 * Told about an election as this process sees it.
 *
 * <p>The events of one election arrive in order and one at a time, on a thread that may be blocked without harm to any
 * election; a slow listener delays only its own election's later events and, for at most the drain timeout, its
 * hand-over. When an event arrives {@link Election#isLeader()} has already changed. Every method of {@link Election} may
 * be called; those that wait for a hand-over start it and return at once, since they would wait for themselves. An
 * exception is logged and has no further effect, except from {@link #granted}.
 */
public interface ElectionListener {

    /** This process leads. An exception gives the leadership up, and the election is joined again after a pause. */
    default void granted(Leadership term) {}

    /** The term is over. Follows exactly one {@link #granted} of the same term. */
    default void revoked(Leadership term, RevocationReason reason) {}

    /** Another candidate leads, or nobody does; only where the election is observed. */
    default void leaderChanged(Election election, Optional<Candidate> leader) {}

    /** The election was deleted; it is not joined again. */
    default void ended(Election election) {}

    /** Something keeps the election from going on; it is tried again where that can help. */
    default void failed(Election election, ElectionException cause) {}
}
