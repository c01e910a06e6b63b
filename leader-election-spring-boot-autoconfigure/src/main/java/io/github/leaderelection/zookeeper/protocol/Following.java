package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Instant;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Behind another candidate, which is watched.
 *
 * @param idleSince since when that one has been first without leading; null if it is not first, or leads
 */
public record Following(
        CandidateNode ownNode,
        long requestId,
        Predecessor predecessor,
        @Nullable Moment idleSince) implements Queued {

    /** Watches by a read: an {@code exists} would leave its watch behind if the node is gone. */
    static void begin(Step step, CandidateNode ownNode, Predecessor predecessor, @Nullable Moment idleSince) {
        long requestId = step.nextRequestId();
        step.state = new Following(ownNode, requestId, predecessor.unwatched(), idleSince);
        step.send(Purpose.PREDECESSOR, requestId, new Request.Get(predecessor.path(), true));
        step.arm(ownNode);
        if (!ownNode.armed() && ownNode.provenAt() == null) {
            // A candidate that is named soon after it joined leads without waiting for a heartbeat.
            step.emit(new Command.SendHeartbeat());
        }
    }

    /** Follows as an evaluation decided; what is known of a predecessor stays known if it is still the same. */
    static void begin(Step step, Evaluating evaluating, String predecessor, boolean idle) {
        Predecessor last = evaluating.last();
        boolean same = last != null && last.node().equals(predecessor);
        Following checked = evaluating.checking();
        if (same
                && checked != null
                && checked.isSettled()
                && evaluating.ownNode().armed()
                && !idle) {
            step.state = checked.with(evaluating.ownNode());
            return;
        }
        Moment idleBefore = same && checked != null ? checked.idleSince : null;
        Moment idleSince = idleBefore != null ? idleBefore : step.view.now();
        begin(
                step,
                evaluating.ownNode(),
                same && last != null ? last : new Predecessor(step.config.node(predecessor)),
                idle ? idleSince : null);
    }

    @Override
    public Predecessor observed() {
        return predecessor;
    }

    @Override
    public Following with(CandidateNode ownNode) {
        return new Following(ownNode, requestId, predecessor, idleSince);
    }

    @Override
    public Following followed() {
        return this;
    }

    @Override
    public Role role() {
        return Role.FOLLOWER;
    }

    /** Whether another candidate leads and both watches are known to be set. */
    boolean isSettled() {
        return ownNode.armed() && predecessor.watched() && idleSince == null;
    }

    @Override
    public void otherChanged(Step step, String path, EventType type) {
        if (path.equals(predecessor.path())) {
            if (type == EventType.NodeDeleted) {
                Evaluating.afterPredecessor(step, this);
            } else {
                begin(step, ownNode, predecessor, idleSince);
            }
        }
    }

    @Override
    public void recheck(Step step) {
        Evaluating.verify(step, this);
    }

    @Override
    public void answered(Step step, Command.Send to, Reply reply) {
        if (to.purpose() != Purpose.PREDECESSOR || reply.ambiguous()) {
            return;
        }
        if (reply.ok()) {
            Predecessor watched = new Predecessor(predecessor.path(), heartbeatOf(reply.data(), step.view), true);
            step.state = new Following(ownNode, requestId, watched, idleSince);
            if (blocks(reply.stat(), step.view)) {
                step.fail(new ElectionException(
                        "Blocked by %s, created %s by session 0x%x%s: it is first in the queue but does not lead. Delete it if nothing needs it"
                                .formatted(
                                        predecessor.path(),
                                        Instant.ofEpochMilli(reply.stat().getCtime()),
                                        reply.stat().getEphemeralOwner(),
                                        reply.stat().getEphemeralOwner() == 0 ? " (persistent node)" : "")));
            } else {
                step.recovered();
            }
        } else if (reply.noNode()) {
            Evaluating.begin(step, this);
        } else {
            step.fail(new ElectionException("Cannot watch " + predecessor.path() + ": " + ErrorTexts.of(reply.code())));
        }
    }

    /** Only a node beside our own heartbeat is observed as one: any path may stand in a candidate's data. */
    private static String heartbeatOf(byte[] data, View view) {
        String heartbeat = CandidateData.parse(data).heartbeat();
        // One string for all elections that follow that connection's.
        return Paths.parent(heartbeat).equals(Paths.parent(view.heartbeat())) ? heartbeat.intern() : "";
    }

    /** First for longer than it can have to wait for anything, or never a candidate at all. */
    private boolean blocks(Stat predecessor, View view) {
        return predecessor.getEphemeralOwner() == 0
                || idleSince != null && !idleSince.within(2 * view.sessionTimeout(), view.now());
    }
}
