package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.protocol.State.Clearing;
import io.github.leaderelection.zookeeper.protocol.State.Closed;
import io.github.leaderelection.zookeeper.protocol.State.Draining;
import io.github.leaderelection.zookeeper.protocol.State.Leaving;
import io.github.leaderelection.zookeeper.protocol.State.Observing;
import io.github.leaderelection.zookeeper.protocol.State.Pending;

/**
 * The last rules of leaving, where there is no node to take away: nobody has left as long as something is running that its
 * terms have admitted.
 */
public final class Retirement {

    private Retirement() {}

    /** Leaves from where there is no node. */
    static void begin(Step step, AfterLeaving then, boolean confirmed) {
        // Whoever observes has drained when it left.
        boolean drained = step.state instanceof Observing;
        leave(step, then, confirmed, drained ? 0 : step.drain());
    }

    /**
     * The node is gone.
     *
     * @param confirmed whether that is certain
     */
    static void finish(Step step, Leaving leaving, boolean confirmed) {
        leave(step, leaving.then(), confirmed, leaving.term());
    }

    /** Whoever stays a candidate need not wait: it is not done. */
    private static void leave(Step step, AfterLeaving then, boolean confirmed, long draining) {
        if (draining > 0 && then.role() != Role.CANDIDATE) {
            step.state = new Draining(then, confirmed, draining);
        } else {
            conclude(step, then, confirmed);
        }
    }

    static void drained(Step step, Draining retiring) {
        conclude(step, retiring.then(), retiring.confirmed());
    }

    private static void conclude(Step step, AfterLeaving then, boolean confirmed) {
        step.emit(new Command.Left(confirmed));
        switch (then) {
            case REJOIN -> {
                step.state = new Pending(0, !confirmed);
                Entry.joinWhenConnected(step);
            }
            case PAUSE -> {
                long requestId = step.nextRequestId();
                step.state = new Pending(requestId, !confirmed);
                step.pause(requestId);
            }
            case CLEAR -> {
                step.state = new Clearing();
                step.emit(new Command.Clear());
            }
            case OBSERVE -> {
                step.allIsWell();
                step.state = new Observing();
            }
            case CLOSE -> step.state = new Closed(false);
            case END -> step.state = new Closed(true);
        }
    }
}
