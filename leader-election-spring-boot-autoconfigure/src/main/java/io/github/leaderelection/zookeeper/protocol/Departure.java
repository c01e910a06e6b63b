package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.support.MoveCause;
import org.jspecify.annotations.Nullable;

/**
 * A candidacy that leaves, and what follows.
 *
 * @param ownNode its node; null as long as it is unknown whether there is one
 * @param term the term that is being drained; 0 if none is
 * @param move the hand-over to a chosen candidate for which it leaves; null if there is none
 */
public record Departure(
        Candidacy candidacy,
        @Nullable CandidateNode ownNode,
        AfterLeaving then,
        long term,
        @Nullable Move move) {

    public static Departure of(CandidateNode ownNode, AfterLeaving then, long term) {
        return new Departure(ownNode.candidacy(), ownNode, then, term, null);
    }

    Departure with(@Nullable Move move) {
        return new Departure(candidacy, ownNode, then, term, move);
    }

    Departure then(AfterLeaving then) {
        return new Departure(candidacy, ownNode, then, term, move);
    }

    /** Whether it leaves in favour of that candidate. */
    boolean movesTo(@Nullable String heir) {
        return move != null && move.to().equals(heir);
    }

    boolean isRequested() {
        return move != null && move.cause() == MoveCause.REQUESTED;
    }

    /** Reports that the chosen candidate leads now. */
    void reportMove(Step step) {
        if (move != null) {
            step.emit(new Command.Moved(move));
        }
    }

    Departure drained() {
        return new Departure(candidacy, ownNode, then, 0, move);
    }

    Departure with(CandidateNode ownNode) {
        return new Departure(candidacy, ownNode, then, term, move);
    }
}
