package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import org.jspecify.annotations.Nullable;

/** Nominated for an election that had already ended: its remains are deleted first. */
public record Clearing() implements State {

    @Override
    public void cleared(Step step, @Nullable ElectionException refusal) {
        if (refusal != null) {
            Pending.retryLater(step, refusal);
        } else {
            Joining.begin(step);
        }
    }

    @Override
    public void leave(Step step, RevocationReason reason, AfterLeaving then) {
        Retiring.begin(step, then, true);
    }

    @Override
    public void deleted(Step step) {
        step.emit(new Command.Ended());
        Retiring.begin(step, AfterLeaving.END, true);
    }

    @Override
    public void disconnected(Step step, boolean watchesKept) {}

    @Override
    public void expired(Step step) {
        step.state = new Pending(NO_REQUEST, false);
    }
}
