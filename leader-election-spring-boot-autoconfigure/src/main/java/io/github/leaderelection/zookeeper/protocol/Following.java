package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Instant;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Behind another candidate, which it watches. A holder's heir follows that holder, observes its heartbeat, and takes
 * over when its lease must be over.
 *
 * @param idleSince since when that candidate has been first without leading; null if it is not first or another leads
 * @param inheritance the record that makes this candidate the heir of its predecessor; null unless one does
 */
public record Following(
        CandidateNode ownNode,
        long requestId,
        Predecessor predecessor,
        @Nullable Moment idleSince,
        @Nullable Claim inheritance)
        implements Queued {

    /** Follows as an evaluation decided; what is known of a predecessor stays known if it is still the same. */
    static void begin(Step step, Evaluating evaluating, String predecessor, boolean idle, @Nullable Claim inheritance) {
        Following checked = evaluating.checking();
        Following same = checked != null && checked.predecessor.node().equals(predecessor) ? checked : null;
        CandidateNode ownNode = evaluating.ownNode();
        if (same != null && !idle && same.isSettled() && ownNode.armed()) {
            // A new request, so that a timer which was set before has no effect.
            var settled = new Following(ownNode, step.nextRequestId(), same.predecessor, null, inheritance);
            step.state = settled;
            settled.woken(step);
            return;
        }
        if (checked != null && same == null && checked.predecessor.watched() && step.view.connected()) {
            // The watch would stay for as long as that node exists.
            var unwatch = new Request.RemoveWatches(checked.predecessor.path(), false);
            step.send(Purpose.CLEAN_UP, NO_REQUEST, unwatch);
        }
        Predecessor known = same != null ? same.predecessor : new Predecessor(step.config.node(predecessor));
        Moment idleBefore = same != null ? same.idleSince : null;
        Moment idleSince = idleBefore != null ? idleBefore : step.view.now();
        new Following(ownNode, NO_REQUEST, known, idle ? idleSince : null, inheritance).watch(step);
    }

    /** Watches by a read: an {@code exists} would leave its watch behind if the node is gone. */
    void watch(Step step) {
        long next = step.nextRequestId();
        step.state = new Following(ownNode, next, predecessor.unwatched(), idleSince, inheritance);
        step.send(Purpose.PREDECESSOR, next, new Request.Get(predecessor.path(), true));
        step.arm(ownNode);
        if (!ownNode.armed() && ownNode.provenAt() == null || inheritance != null) {
            // So that it can lead without waiting for a heartbeat once it is named.
            step.emit(new Command.SendHeartbeat());
        }
    }

    @Override
    public @Nullable Predecessor observed() {
        return inheritance != null ? predecessor : null;
    }

    /** An heir keeps its node proven, so that a hand-over needs no write of its own. */
    @Override
    public long heartbeatInterval() {
        return inheritance != null ? inheritance.lease() / 2 : 0;
    }

    @Override
    public Following with(CandidateNode ownNode) {
        return new Following(ownNode, requestId, predecessor, idleSince, inheritance);
    }

    Following unwatched() {
        return new Following(ownNode, requestId, predecessor.unwatched(), idleSince, inheritance);
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
                watch(step);
            }
        }
    }

    // the heir

    /** Our data has changed: most likely we were appointed. The watch is set again before the record is read. */
    @Override
    public void ownNodeChanged(Step step) {
        Evaluating.verifySoon(step, this);
    }

    @Override
    public void touched(Step step) {
        Evaluating.verify(step, this);
    }

    /**
     * R29: takes over 1.1 × the holder's lease after the last sighting of its heartbeat, by the version of that
     * sighting, unless another client has put a heartbeat in its place.
     */
    @Override
    public void woken(Step step) {
        if (inheritance == null || !predecessor.replaceable()) {
            return;
        }
        Sighting last = step.view.sightings().apply(predecessor.heartbeat());
        long now = step.view.now().nanos();
        if (last == null || last.session() != predecessor.session()) {
            step.emit(new Command.WakeAt(requestId, now + inheritance.lease() * 250_000));
            return;
        }
        long leaseOver = predecessor.silentSince(last.at()) + LeaderRecord.waitNanos(inheritance.lease());
        if (leaseOver - now > 0) {
            step.emit(new Command.WakeAt(requestId, leaseOver));
        } else {
            TakingOver.begin(step, this, inheritance, last);
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
            CandidateData data = CandidateData.parse(reply.data());
            // A holder on our own connection falls silent only if we do.
            long owner = reply.stat().getEphemeralOwner();
            long session = data.allowsTakeOver() && owner != ownNode.session() ? owner : 0;
            Predecessor watched = predecessor.read(heartbeatOf(data, step.view), session);
            var following = new Following(ownNode, requestId, watched, idleSince, inheritance);
            step.state = following;
            following.woken(step);
            if (blocks(reply.stat(), step.view)) {
                step.fail(new ElectionException(
                        "Blocked by %s, created %s by session 0x%x%s: it is first in the queue but does not lead. Delete it if nothing needs it"
                                .formatted(
                                        predecessor.path(),
                                        Instant.ofEpochMilli(reply.stat().getCtime()),
                                        reply.stat().getEphemeralOwner(),
                                        reply.stat().getEphemeralOwner() == 0 ? " (persistent node)" : "")));
            } else if (data.isNewer()) {
                step.fail(new ElectionException("Cannot take over from " + predecessor.path()
                        + ", which runs a later version of this library. Update this instance"));
            } else if (!watched.refused()) {
                step.recovered();
            }
        } else if (reply.noNode()) {
            Evaluating.begin(step, this);
        } else {
            step.fail(reply.failure("watch " + predecessor.path()));
        }
    }

    /** Only a sibling of our own heartbeat is observed: a candidate's data may contain any path. */
    private static String heartbeatOf(CandidateData data, View view) {
        String heartbeat = data.heartbeat();
        // One shared string for all elections that follow a candidate of that connection.
        return Paths.parent(heartbeat).equals(Paths.parent(view.heartbeat())) ? heartbeat.intern() : "";
    }

    /** First for longer than any wait can take, or a persistent node, which no candidate creates. */
    private boolean blocks(Stat predecessor, View view) {
        return predecessor.getEphemeralOwner() == 0
                || idleSince != null && !idleSince.within(2 * view.sessionTimeout(), view.now());
    }
}
