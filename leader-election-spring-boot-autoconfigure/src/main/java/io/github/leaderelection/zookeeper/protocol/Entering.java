package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;

/** A create is under way, or its reply was lost: only a list after it shows whether there is a node of ours. */
public sealed interface Entering extends State permits Joining, Recovering {

    @Override
    Candidacy candidacy();

    @Override
    default void leave(Step step, RevocationReason reason, AfterLeaving then) {
        Inspecting.lookFor(step, candidacy(), then);
    }

    @Override
    default void deleted(Step step) {
        step.emit(new Command.Ended());
        Inspecting.lookFor(step, candidacy(), AfterLeaving.END);
    }

    @Override
    default void rejoin(Step step, RevocationReason reason) {
        Inspecting.lookFor(step, candidacy(), AfterLeaving.REJOIN);
    }

    @Override
    default void disconnected(Step step, boolean watchesKept) {
        step.state = new Recovering(candidacy(), NO_REQUEST, null);
    }

    @Override
    default void expired(Step step) {
        Pending.afterExpiry(step);
    }
}
