package io.github.leaderelection.zookeeper.protocol;

import org.jspecify.annotations.Nullable;

/**
 * What leaves, and what follows.
 *
 * @param ownNode its node, if it is known whether there is one
 * @param term the term that is being drained; 0 if none is
 */
public record Departure(Candidacy candidacy, @Nullable CandidateNode ownNode, AfterLeaving then, long term) {

    public static Departure of(CandidateNode ownNode, AfterLeaving then, long term) {
        return new Departure(ownNode.candidacy(), ownNode, then, term);
    }

    Departure then(AfterLeaving then) {
        return new Departure(candidacy, ownNode, then, term);
    }

    Departure drained() {
        return new Departure(candidacy, ownNode, then, 0);
    }

    Departure with(CandidateNode ownNode) {
        return new Departure(candidacy, ownNode, then, term);
    }
}
