package io.github.leaderelection;

import java.util.Optional;

/**
 * The result of a request to hand over leadership. Nothing has changed unless the outcome is {@link Outcome#DONE}, with
 * the exceptions below.
 *
 * @param leader the leader after the request, if it is known
 */
public record HandOver(Outcome outcome, Optional<Candidate> leader) {

    public enum Outcome {
        /** The record names the new leader. */
        DONE,
        ALREADY_LEADS,
        /** There is no leader that could hand over, or no such election. */
        NO_LEADER,
        /** Also if that candidate leaves while the leader drains: then the next one in line leads. */
        NO_SUCH_CANDIDATE,
        /** Several candidates have that id. */
        AMBIGUOUS_CANDIDATE,
        /**
         * The leader did not answer in time, and does not hand over later either; or it has agreed, and its work did not
         * end in time: then it leads no more, and the hand-over continues in the background.
         */
        NOT_ANSWERED
    }
}
