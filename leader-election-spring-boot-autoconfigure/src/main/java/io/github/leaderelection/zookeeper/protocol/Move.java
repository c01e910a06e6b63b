package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.support.MoveCause;

/**
 * A hand-over to a chosen candidate.
 *
 * @param to the name of its node
 * @param candidateId its id; empty as long as its node has not been read
 */
public record Move(MoveCause cause, String to, String candidateId) {

    static Move of(MoveCause cause, String to) {
        return new Move(cause, to, "");
    }

    Move of(String candidateId) {
        return new Move(cause, to, candidateId);
    }
}
