package io.github.leaderelection.zookeeper.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Cut off from ZooKeeper, or about to look again: only the own node's name is known.
 *
 * @param waited what it was waiting for when the connection was lost
 */
public record Detached(
        CandidateNode ownNode, long requestId, @Nullable AwaitingLeaseEnd waited) implements Queued {

    @Override
    public Detached with(CandidateNode ownNode) {
        return new Detached(ownNode, requestId, waited);
    }

    /** The own watch is set anew rather than trusted to the client: no lease of ours is running out. */
    @Override
    public void connected(Step step) {
        with(ownNode.arm(false)).evaluateWhenThereIsRoom(step);
    }

    @Override
    public void woken(Step step) {
        evaluateWhenThereIsRoom(step);
    }

    /** After a reconnect all elections of the connection look again; they take turns. */
    void evaluateWhenThereIsRoom(Step step) {
        if (!step.view.connected()) {
            step.state = this;
        } else if (step.view.hasRoom()) {
            Evaluating.begin(step, this);
        } else {
            step.state = new Detached(ownNode, step.wakeWhenThereIsRoom(), waited);
        }
    }
}
