package io.github.leaderelection;

import java.time.Instant;

/**
 * The result of a {@link Election#resign() resignation}.
 *
 * @param until if unconfirmed, when the session timeout removes the node at the latest; if confirmed, when it was confirmed
 */
public record Resignation(Outcome outcome, Instant until) {

    public enum Outcome {
        /** The candidate's node is gone. */
        CONFIRMED,
        /** The deletion of the node is not confirmed. It is retried in the background, unless the session has ended. */
        UNCONFIRMED
    }
}
