package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.Stage.Awaiting;
import io.github.leaderelection.zookeeper.Stage.Clearing;
import io.github.leaderelection.zookeeper.Stage.Closed;
import io.github.leaderelection.zookeeper.Stage.Leaving;
import io.github.leaderelection.zookeeper.Stage.Observing;
import io.github.leaderelection.zookeeper.Stage.Retiring;

/**
 * The last rules of leaving, where there is no node to take away: nobody has left as long as something is running that its
 * terms have admitted.
 */
final class Retirement {

    private Retirement() {}

    /** Leaves from where there is no node. */
    static void begin(Turn turn, Departure then, boolean confirmed) {
        // Whoever observes has drained when it left.
        boolean drained = turn.stage instanceof Observing;
        leave(turn, then, confirmed, drained ? 0 : turn.drain());
    }

    /**
     * The node is gone.
     *
     * @param confirmed whether that is certain
     */
    static void finish(Turn turn, Leaving leaving, boolean confirmed) {
        leave(turn, leaving.then(), confirmed, leaving.term());
    }

    /** Whoever stays a candidate need not wait: it is not done. */
    private static void leave(Turn turn, Departure then, boolean confirmed, long draining) {
        if (draining > 0 && then.role() != Role.CANDIDATE) {
            turn.stage = new Retiring(then, confirmed, draining);
        } else {
            conclude(turn, then, confirmed);
        }
    }

    static void drained(Turn turn, Retiring retiring) {
        conclude(turn, retiring.then(), retiring.confirmed());
    }

    private static void conclude(Turn turn, Departure then, boolean confirmed) {
        turn.emit(new Command.Left(confirmed));
        switch (then) {
            case REJOIN -> {
                turn.stage = new Awaiting(0, !confirmed);
                Entry.joinWhenConnected(turn);
            }
            case PAUSE -> {
                long flight = turn.nextFlight();
                turn.stage = new Awaiting(flight, !confirmed);
                turn.pause(flight);
            }
            case CLEAR -> {
                turn.stage = new Clearing();
                turn.emit(new Command.Clear());
            }
            case OBSERVE -> {
                turn.allIsWell();
                turn.stage = new Observing();
            }
            case CLOSE -> turn.stage = new Closed(false);
            case END -> turn.stage = new Closed(true);
        }
    }
}
