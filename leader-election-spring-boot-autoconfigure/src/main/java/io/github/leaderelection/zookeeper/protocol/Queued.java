package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/** The states with a node in the queue. What concerns the candidate's own node is the same for all of them. */
public sealed interface Queued extends State
        permits Detached, Evaluating, Following, AwaitingLeaseEnd, Claiming, TakingOver, Named, Leading {

    CandidateNode ownNode();

    Queued with(CandidateNode ownNode);

    /** The place behind another candidate, also while that is being verified. */
    default @Nullable Following followed() {
        return null;
    }

    /** The wait for a lease to end, also one that was interrupted by another look at the queue. */
    default @Nullable AwaitingLeaseEnd waited() {
        return null;
    }

    /** The holder whose heartbeat has to be observed, if this candidate is its heir. */
    default @Nullable Predecessor observed() {
        return null;
    }

    // the own node

    @Override
    default Candidacy candidacy() {
        return ownNode().candidacy();
    }

    /** The own node's watch concerns the node, not the request during which it was set. */
    @Override
    default boolean awaits(Command.Send request) {
        return request.purpose() == Purpose.OWN_NODE
                ? request.request().path().equals(ownNode().path())
                : awaits(request.requestId());
    }

    @Override
    default void replied(Step step, Command.Send to, Reply reply) {
        if (to.purpose() == Purpose.OWN_NODE) {
            ownNodeRead(step, reply);
        } else {
            answered(step, to, reply);
        }
    }

    /** The reply to an awaited request about anything but the own node. */
    default void answered(Step step, Command.Send to, Reply reply) {}

    private void ownNodeRead(Step step, Reply reply) {
        if (reply.ok() && reply.stat().getEphemeralOwner() == ownNode().session()) {
            // A watch that was set on a connection that is lost by now proves nothing.
            if (step.view.connected()) {
                boolean touched = reply.stat().getVersion() > ownNode().version();
                Queued armed = with(ownNode().version(reply.stat().getVersion()).arm(true));
                step.state = armed;
                armed.ownNodeArmed(step);
                if (touched) {
                    armed.touched(step);
                }
            }
        } else if (reply.ok() || reply.noNode()) {
            NodeLost.begin(step, this);
        } else if (!reply.ambiguous()) {
            step.fail(reply.failure("watch our own node " + ownNode().path()));
        }
    }

    /** Whether a list shows that the own node, or the whole election, is gone. */
    default boolean lacksOwnNode(CandidateQueue queue, Reply list) {
        return list.noNode() || list.ok() && !queue.contains(ownNode().name());
    }

    /** From now on acknowledged heartbeats prove that the own node exists. */
    default void ownNodeArmed(Step step) {}

    /** Our data has changed since the last read, so the record has as well: we may have been appointed as heir. */
    default void touched(Step step) {}

    @Override
    default void changed(Step step, String path, EventType type) {
        if (!path.equals(ownNode().path())) {
            otherChanged(step, path, type);
        } else if (type == EventType.NodeDeleted) {
            NodeLost.begin(step, this);
        } else if (type == EventType.NodeDataChanged || type == EventType.DataWatchRemoved) {
            // R35: the change has used up the watch.
            with(ownNode().arm(false)).ownNodeChanged(step);
        }
    }

    /** The watch on the own node is used up, or was removed. */
    default void ownNodeChanged(Step step) {
        step.state = this;
        step.arm(ownNode());
    }

    /** A node other than our own changed. */
    default void otherChanged(Step step, String path, EventType type) {}

    /**
     * R3: an acknowledgement counts only while the watch on the own node is set. The session is alive then, and if the
     * node had been deleted by itself, the watch would have fired first.
     */
    @Override
    default void acknowledged(Step step, Moment sent) {
        if (ownNode().armed()) {
            proven(step, sent);
        }
    }

    /** A heartbeat that was sent at the given moment has proven the own node. */
    default void proven(Step step, Moment sent) {
        step.state = with(ownNode().prove(sent));
    }

    // leaving, and losing the connection

    /** R36: if the heartbeat is lost, our node names a heartbeat that will never move again. */
    @Override
    default void rejoin(Step step, RevocationReason reason) {
        leave(step, reason, AfterLeaving.REJOIN);
    }

    @Override
    default void woken(Step step) {}

    @Override
    default void recheck(Step step) {
        Evaluating.begin(step, this);
    }

    @Override
    default void leave(Step step, RevocationReason reason, AfterLeaving then) {
        Draining.begin(step, this, then);
    }

    @Override
    default void busy(Step step) {
        Draining.begin(step, this, AfterLeaving.REJOIN);
    }

    /** Nothing is known any more but the own node's name. */
    @Override
    default void disconnected(Step step, boolean watchesKept) {
        step.state = new Detached(ownNode().arm(false), NO_REQUEST, waited());
    }

    @Override
    default void expired(Step step) {
        Pending.afterExpiry(step);
    }
}
