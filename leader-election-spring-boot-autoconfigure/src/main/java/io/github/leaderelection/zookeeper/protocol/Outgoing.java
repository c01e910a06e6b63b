package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;

/**
 * On the way out. R19: a candidacy that has begun to leave never leads again, whatever the replies are: a hand-over
 * whose reply was lost may still be committed.
 */
public sealed interface Outgoing extends State permits Leaving, Retiring {

    /** What follows. It can be changed until it is final. */
    AfterLeaving then();

    Outgoing then(AfterLeaving then);

    @Override
    default Role role() {
        return then().role();
    }

    @Override
    default boolean ended() {
        return then() == AfterLeaving.END;
    }

    @Override
    default void nominate(Step step) {
        if (then() == AfterLeaving.OBSERVE) {
            step.state = then(AfterLeaving.REJOIN);
        }
    }

    @Override
    default void leave(Step step, RevocationReason reason, AfterLeaving then) {
        if (!then().isFinal()) {
            step.state = then(then);
        }
    }

    @Override
    default void deleted(Step step) {
        if (!then().isFinal()) {
            step.emit(new Command.Ended());
            step.state = then(AfterLeaving.END);
        }
    }
}
