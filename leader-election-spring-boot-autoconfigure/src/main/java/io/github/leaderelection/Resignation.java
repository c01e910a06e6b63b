package io.github.leaderelection;

import java.time.Instant;

/**
 * What became of a {@link Election#resign() resignation}.
 *
 * @param until for an unconfirmed one: when the node should be gone at the latest, by the session timeout; for a
 *     confirmed one: when it was confirmed
 */
public record Resignation(Outcome outcome, Instant until) {

    public enum Outcome {
        /** The candidate's node is known to be gone. */
        CONFIRMED,
        /** ZooKeeper could not be asked: it is tried again in the background, unless the session is over. */
        UNCONFIRMED
    }
}
