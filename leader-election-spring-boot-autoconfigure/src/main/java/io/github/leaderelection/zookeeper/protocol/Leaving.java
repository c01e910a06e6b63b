package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.support.MoveCause;
import org.jspecify.annotations.Nullable;

/** Has, or may have, a node that must be deleted. */
public sealed interface Leaving extends Outgoing
        permits Draining, Inspecting, HandingOver, Deleting, Releasing, Parked {

    /**
     * A candidacy that leaves, and what follows.
     *
     * @param ownNode its node; null as long as it is unknown whether there is one
     * @param term the term that is being drained; 0 if none is
     * @param move the hand-over to a chosen candidate for which it leaves; null if there is none
     */
    record Departure(
            Candidacy candidacy,
            @Nullable CandidateNode ownNode,
            AfterLeaving then,
            long term,
            @Nullable Move move) {

        static Departure of(CandidateNode ownNode, AfterLeaving then, long term, @Nullable Move move) {
            return new Departure(ownNode.candidacy(), ownNode, then, term, move);
        }

        Departure then(AfterLeaving then) {
            return new Departure(candidacy, ownNode, then, term, move);
        }

        Departure drained() {
            return new Departure(candidacy, ownNode, then, 0, move);
        }

        Departure withoutMove() {
            return new Departure(candidacy, ownNode, then, term, null);
        }

        /** The election has ended for everyone; announces that, unless it is known. */
        Departure ended(Step step) {
            if (then == AfterLeaving.END || then == AfterLeaving.CLEAR) {
                return this;
            }
            step.emit(new Command.Ended());
            return then(AfterLeaving.END);
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
    }

    Departure departure();

    Leaving with(Departure departure);

    @Override
    default Candidacy candidacy() {
        return departure().candidacy();
    }

    @Override
    default AfterLeaving then() {
        return departure().then();
    }

    @Override
    default Leaving then(AfterLeaving then) {
        return with(departure().then(then));
    }

    @Override
    default void recheck(Step step) {
        Inspecting.begin(step, departure());
    }

    @Override
    default void drained(Step step, long term) {
        if (term == departure().term()) {
            step.state = with(departure().drained());
        }
    }

    @Override
    default void disconnected(Step step, boolean watchesKept) {
        step.state = new Parked(departure(), NO_REQUEST);
    }

    /** The node goes with its session, sooner or later. */
    @Override
    default void expired(Step step) {
        Retiring.finish(step, departure(), false);
    }
}
