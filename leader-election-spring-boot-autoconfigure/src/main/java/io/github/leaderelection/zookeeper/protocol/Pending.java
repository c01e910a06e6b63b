package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;

/**
 * Nominated, but without a node: waits for a session, for room among other elections, for the end of a pause, or for
 * listeners that are busy with the last term.
 *
 * @param nodeLeftBehind whether the server may still have a node of an earlier session of ours
 */
public record Pending(long requestId, boolean nodeLeftBehind) implements State {

    /** Reports what keeps the candidate from joining, and tries again after a pause. */
    static void retryLater(Step step, ElectionException cause) {
        step.fail(cause);
        pause(step, false);
    }

    static void pause(Step step, boolean nodeLeftBehind) {
        long requestId = step.nextRequestId();
        step.state = new Pending(requestId, nodeLeftBehind);
        step.pause(requestId);
    }

    /** The session is over, and with it whatever was known of our node. */
    static void afterExpiry(Step step) {
        // A client that reaches no server for long gives up its session; the server may still have the node.
        step.state = new Pending(NO_REQUEST, true);
    }

    static boolean leftNodeBehind(State state) {
        return state instanceof Pending pending && pending.nodeLeftBehind;
    }

    @Override
    public void connected(Step step) {
        Joining.begin(step);
    }

    @Override
    public void woken(Step step) {
        Joining.begin(step);
    }

    /** A pause goes on. */
    @Override
    public void heard(Step step) {
        if (requestId == NO_REQUEST) {
            Joining.begin(step);
        }
    }

    @Override
    public void leave(Step step, RevocationReason reason, AfterLeaving then) {
        Retiring.begin(step, then, !nodeLeftBehind);
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
        step.state = new Pending(NO_REQUEST, nodeLeftBehind);
    }
}
