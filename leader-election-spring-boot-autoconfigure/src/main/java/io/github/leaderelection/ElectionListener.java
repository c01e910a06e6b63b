package io.github.leaderelection;

import java.util.Optional;

/**
 * Listener for events of an election, as this process sees it.
 *
 * <p>A listener receives the events of an election in order and one at a time, on a thread that may block without
 * affecting other listeners and elections. A slow listener delays only its own later events and, for at most the drain
 * timeout, a hand-over. A listener that has not returned when the drain timeout has elapsed since the end of a term is
 * interrupted. This process leads again only after all listeners have returned from the events of its last term.
 *
 * <p>When an event arrives, {@link Election#isLeader()} has already changed. A listener may call all methods of
 * {@link Election}; those that wait for a hand-over start it and return at once, because they would wait for the listener.
 * Exceptions are logged and otherwise ignored, except those of {@link #granted}.
 */
public interface ElectionListener {

    /** This process leads. It gives up leadership if the listener throws, and rejoins the queue after a pause. */
    default void granted(Leadership term) {}

    /** The term has ended. Follows exactly one {@link #granted} of the same term. */
    default void revoked(Leadership term, RevocationReason reason) {}

    /** The leader has changed; empty if no candidate leads. Called only if the election is observed. */
    default void leaderChanged(Election election, Optional<Candidate> leader) {}

    /** The election was deleted. It is not joined again. */
    default void ended(Election election) {}

    /** An error prevents the election from making progress. The operation is retried if that can help. */
    default void failed(Election election, ElectionException cause) {}
}
