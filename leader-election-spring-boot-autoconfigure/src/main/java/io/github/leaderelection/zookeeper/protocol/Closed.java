package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;

/**
 * Over for this process.
 *
 * @param ended whether the election has ended for everyone
 */
public record Closed(boolean ended) implements State {

    @Override
    public Role role() {
        return Role.CLOSED;
    }

    @Override
    public void leave(Step step, RevocationReason reason, AfterLeaving then) {}

    @Override
    public void disconnected(Step step, boolean watchesKept) {}

    @Override
    public void expired(Step step) {}
}
