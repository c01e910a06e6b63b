package io.github.leaderelection.zookeeper.protocol;

/** Has, or may have, a node that must be deleted. */
public sealed interface Leaving extends Outgoing
        permits Draining, Inspecting, HandingOver, Deleting, Releasing, Parked {

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
