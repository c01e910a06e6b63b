package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;

/** Not nominated. */
public record Observing() implements State {

    @Override
    public Role role() {
        return Role.OBSERVER;
    }

    @Override
    public void nominate(Step step) {
        Joining.begin(step);
    }

    /** Its last term drained before it became an observer. */
    @Override
    public void leave(Step step, RevocationReason reason, AfterLeaving then) {
        Retiring.conclude(step, then, true);
    }

    @Override
    public void deleted(Step step) {
        step.emit(new Command.Ended());
        Retiring.conclude(step, AfterLeaving.END, true);
    }

    @Override
    public void disconnected(Step step, boolean watchesKept) {}

    @Override
    public void expired(Step step) {}
}
