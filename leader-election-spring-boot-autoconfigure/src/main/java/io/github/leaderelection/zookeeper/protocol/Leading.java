package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Successor;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Leads, as long as heartbeats are acknowledged.
 *
 * @param granted the lease in the record, which others wait for
 * @param lease the lease it goes by: never longer than that
 * @param since when the term began, by the wall clock
 */
public record Leading(
        CandidateNode ownNode,
        long requestId,
        Successor successor,
        int version,
        long granted,
        long lease,
        long term,
        long since)
        implements Queued {

    static void begin(Step step, Named named) {
        long lease = named.lease(step);
        long requestId = step.nextRequestId();
        CandidateNode ownNode = named.ownNode();
        Leading leading = new Leading(
                ownNode,
                requestId,
                named.queue().successor(ownNode.name()),
                named.version(),
                named.granted(),
                lease,
                step.grant(),
                step.view.now().millis());
        step.state = leading;
        step.recovered();
        step.arm(ownNode);
        leading.watchQueue(step);
        if (!ownNode.provenWithin(lease / 2, step.view.now())) {
            step.emit(new Command.SendHeartbeat());
        }
    }

    @Override
    public Leading with(CandidateNode ownNode) {
        return new Leading(ownNode, requestId, successor, version, granted, lease, term, since);
    }

    private Leading with(Successor successor) {
        return new Leading(ownNode, requestId, successor, version, granted, lease, term, since);
    }

    private Leading renewed(Moment sent, long lease) {
        return new Leading(ownNode.prove(sent), requestId, successor, version, granted, lease, term, since);
    }

    @Override
    public Role role() {
        return Role.LEADER;
    }

    @Override
    public OptionalInt candidates() {
        return successor.isKnown() ? OptionalInt.of(successor.candidates()) : OptionalInt.empty();
    }

    // the lease

    public boolean isValid(Moment now) {
        return isValid(now.nanos(), now.millis());
    }

    public boolean isValid(long nowNanos, long nowMillis) {
        Moment provenAt = ownNode.provenAt();
        return provenAt != null && provenAt.within(lease, nowNanos, nowMillis);
    }

    /** When the lease is over unless it is renewed, by the monotonic clock. */
    public long leaseEnd() {
        Moment provenAt = ownNode.provenAt();
        if (provenAt == null) {
            throw new IllegalStateException("Leads without a proof: " + this);
        }
        return provenAt.nanosAfter(lease);
    }

    @Override
    public void acknowledged(Step step, Moment sent) {
        if (isValid(step.view.now())) {
            Queued.super.acknowledged(step, sent);
        } else {
            lapse(step);
        }
    }

    /** A lease that became shorter takes effect with a heartbeat that leaves time for the next one. */
    @Override
    public void proven(Step step, Moment sent) {
        long current = Math.min(granted, step.view.lease());
        Leading renewed = renewed(sent, current);
        boolean abrupt = current < lease && !renewed.ownNode.provenWithin(current / 2, step.view.now());
        step.state = abrupt ? this : renewed;
    }

    @Override
    public void lapsed(Step step, long lapsed) {
        if (lapsed == term) {
            lapse(step);
        }
    }

    /** The node stays: if it still exists when ZooKeeper answers again, a new term may begin. */
    private void lapse(Step step) {
        step.revoke(this, RevocationReason.CONNECTION_LOST);
        new Detached(ownNode, NO_REQUEST, null).evaluateWhenThereIsRoom(step);
    }

    // the watches: on the own node, and on the queue, which shows the successor

    private boolean lacksWatches(Step step) {
        return !ownNode.armed() || lacksQueue(step);
    }

    private boolean lacksQueue(Step step) {
        return !step.queueWatched || !successor.isKnown();
    }

    /** No lease depends on this watch, so candidates that have nothing yet come first. */
    private void watchQueue(Step step) {
        if (lacksQueue(step)) {
            step.sendWhenThereIsRoom(Purpose.LIST, requestId, new Request.Children(step.config.path(), true));
        }
    }

    @Override
    public void ownNodeArmed(Step step) {
        if (!ownNode.provenWithin(lease * 2 / 3, step.view.now())) {
            // There may be no time to wait for the next one.
            step.emit(new Command.SendHeartbeat());
        }
    }

    @Override
    public void candidatesChanged(Step step) {
        step.list(requestId, true);
    }

    /** Goes on within its lease, which only time ends. */
    @Override
    public void disconnected(Step step, boolean watchesKept) {
        step.state = watchesKept ? this : with(ownNode.arm(false));
    }

    /**
     * Where the watches were kept, one heartbeat proves the nodes of all elections at once. They are set again all the same:
     * an overloaded server may have failed to, without any notice.
     */
    @Override
    public void connected(Step step) {
        if (ownNode.armed()) {
            step.emit(new Command.SendHeartbeat());
            step.sendWhenThereIsRoom(Purpose.OWN_NODE, requestId, new Request.Get(ownNode.path(), true));
        } else {
            step.arm(ownNode);
            step.emit(new Command.SendHeartbeat());
        }
        watchQueue(step);
        step.readQueueAndRecordLeisurely(requestId);
    }

    /** The watches are set again only if one is known to be missing, or has failed to report something. */
    @Override
    public void recheck(Step step) {
        if (lacksWatches(step)) {
            setAllWatches(step);
        } else {
            step.readQueueAndRecordLeisurely(requestId);
        }
    }

    private void setAllWatches(Step step) {
        CandidateNode unarmed = ownNode.arm(false);
        step.state = with(unarmed);
        step.arm(unarmed);
        step.list(requestId, true);
        step.readRecord(requestId);
    }

    @Override
    public void answered(Step step, Command.Send to, Reply reply) {
        if (to.purpose() == Purpose.LIST) {
            CandidateQueue queue = step.queueIn(to, reply);
            if (reply.noNode() || reply.ok() && !queue.contains(ownNode.name())) {
                NodeLost.begin(step, this);
            } else if (reply.ok()) {
                listed(step, queue, to.request() instanceof Request.Names);
            }
        } else if (to.purpose() == Purpose.RECORD && reply.ok()) {
            recordRead(step, LeaderRecord.parse(reply.data()));
        }
    }

    private void listed(Step step, CandidateQueue queue, boolean withoutWatch) {
        Leading informed = with(queue.successor(ownNode.name()));
        step.state = informed;
        step.deleteTwins(ownNode.candidacy(), queue, ownNode.name());
        boolean watchMissedIt = withoutWatch && step.queueWatched && !informed.successor.equals(successor);
        if (watchMissedIt) {
            informed.setAllWatches(step);
        }
    }

    private void recordRead(Step step, Optional<LeaderRecord> record) {
        if (record.isPresent() && record.get().state() == LeaderRecord.State.ENDED) {
            // The process that marked the end may have died before it could delete our node.
            step.formerNode = ownNode.name();
            NodeLost.ended(step, ownNode, term);
        } else if (record.isEmpty() || !record.get().heldBy(ownNode.name())) {
            // Another client overwrote the record, and with it what makes a successor wait for our lease.
            step.revoke(this, RevocationReason.NODE_LOST);
            Evaluating.begin(step, this);
        }
    }

    // the end of the term

    @Override
    public void refused(Step step, long refused) {
        if (refused == term) {
            leave(step, RevocationReason.LISTENER_FAILED, AfterLeaving.PAUSE);
        }
    }

    @Override
    public void leave(Step step, RevocationReason reason, AfterLeaving then) {
        step.revoke(this, reason);
        Draining.beginAsLeader(step, this, then);
    }

    @Override
    public void expired(Step step) {
        step.revoke(this, RevocationReason.SESSION_EXPIRED);
        Pending.afterExpiry(step);
    }
}
