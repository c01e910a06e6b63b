package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.Role;

/**
 * Has nothing left in ZooKeeper that it could remove; but work that its last term admitted may still be running.
 *
 * @param confirmed whether its node is known to be gone
 * @param term the term to drain
 */
public record Retiring(AfterLeaving then, boolean confirmed, long term) implements Outgoing {

    /** Leaves from a state without a node. */
    static void begin(Step step, AfterLeaving then, boolean confirmed) {
        begin(step, then, confirmed, step.drain());
    }

    /** The node is gone, or nothing more can be done about it. */
    static void finish(Step step, Leaving.Departure departure, boolean confirmed) {
        begin(step, departure.then(), confirmed, departure.term());
    }

    /** R20: a candidate has not left while its work is running. A candidate that rejoins need not wait for that. */
    private static void begin(Step step, AfterLeaving then, boolean confirmed, long draining) {
        if (draining > 0 && then.role() != Role.CANDIDATE) {
            step.state = new Retiring(then, confirmed, draining);
        } else {
            conclude(step, then, confirmed);
        }
    }

    static void conclude(Step step, AfterLeaving then, boolean confirmed) {
        step.emit(new Command.Left(confirmed));
        switch (then) {
            case REJOIN -> {
                step.state = new Pending(NO_REQUEST, !confirmed);
                Joining.begin(step);
            }
            case PAUSE -> Pending.pause(step, !confirmed);
            case CLEAR -> {
                step.state = new Clearing();
                step.emit(new Command.DeleteEndedElection());
            }
            case OBSERVE -> {
                step.recovered();
                step.state = new Observing();
            }
            case CLOSE -> step.state = new Closed(false);
            case END -> step.state = new Closed(true);
        }
    }

    @Override
    public Retiring then(AfterLeaving then) {
        return new Retiring(then, confirmed, term);
    }

    @Override
    public void drained(Step step, long drained) {
        if (drained == term) {
            conclude(step, then, confirmed);
        }
    }

    @Override
    public void disconnected(Step step, boolean watchesKept) {}

    @Override
    public void expired(Step step) {}
}
