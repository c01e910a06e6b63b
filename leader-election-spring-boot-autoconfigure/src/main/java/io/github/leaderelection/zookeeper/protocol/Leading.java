package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.MoveCause;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.Succession.Appointment;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.List;
import java.util.OptionalInt;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Leads, as long as heartbeats are acknowledged.
 *
 * @param lease how long it leads without a renewal: shorter than the lease in the record by the grace
 * @param since when the term began, by the wall clock
 */
public record Leading(
        CandidateNode ownNode,
        long requestId,
        Holding holding,
        Succession succession,
        long lease,
        long term,
        long since)
        implements Queued {

    /** How often a leader sends a heartbeat within the record's lease. */
    private static final int HEARTBEATS_PER_LEASE = 6;

    static void begin(Step step, Named named) {
        Leading leading = new Leading(
                        named.ownNode(),
                        step.nextRequestId(),
                        named.holding(),
                        Succession.UNKNOWN,
                        named.lease(step),
                        step.grant(),
                        step.view.now().millis())
                .withQueue(step, named.queue());
        step.state = leading;
        Appointing appointing = new Appointing(step, leading);
        appointing.preemptLater(null);
        step.recovered();
        if (!leading.ownNode.armed()) {
            // The node was proven just now, so candidates without a place in the queue come first.
            step.armWhenThereIsRoom(leading.ownNode);
        }
        if (leading.lacksQueue(step)) {
            leading.watchQueue(step);
        } else {
            appointing.proceed();
        }
        if (!leading.ownNode.provenWithin(leading.heartbeatInterval(), step.view.now())) {
            step.emit(new Command.SendHeartbeat());
        }
    }

    @Override
    public Leading with(CandidateNode ownNode) {
        return new Leading(ownNode, requestId, holding, succession, lease, term, since);
    }

    Leading with(Holding holding) {
        return new Leading(ownNode, requestId, holding, succession, lease, term, since);
    }

    Leading with(Succession succession) {
        return new Leading(ownNode, requestId, holding, succession, lease, term, since);
    }

    Leading appointing(@Nullable Appointment appointment) {
        return with(succession.appointing(appointment));
    }

    Leading withQueue(Step step, CandidateQueue queue) {
        return with(succession.listed(queue, ownNode.name(), holding.heir(), step.view.heirs()));
    }

    @Override
    public Role role() {
        return Role.LEADER;
    }

    @Override
    public OptionalInt candidates() {
        return succession.isKnown() ? OptionalInt.of(succession.candidates()) : OptionalInt.empty();
    }

    // the lease

    public boolean isValid(Moment now) {
        return ownNode.provenWithin(lease, now);
    }

    public boolean isValid(long nowNanos, long nowMillis) {
        return ownNode.proof().within(lease, nowNanos, nowMillis);
    }

    /** When the lease is over unless it is renewed, by the monotonic clock. */
    public long leaseEnd() {
        return ownNode.proof().nanosAfter(lease);
    }

    @Override
    public long heartbeatInterval() {
        return Math.max(1, Math.min(holding.lease() / HEARTBEATS_PER_LEASE, lease / (HEARTBEATS_PER_LEASE - 1)));
    }

    @Override
    public void acknowledged(Step step, Moment sent) {
        if (isValid(step.view.now())) {
            Queued.super.acknowledged(step, sent);
        } else {
            lapsed(step, term);
        }
    }

    /** A lease that became shorter takes effect with a heartbeat that leaves time for the next one. */
    @Override
    public void proven(Step step, Moment sent) {
        long current = step.view.validity(holding.lease());
        CandidateNode proven = ownNode.prove(sent);
        Leading renewed = new Leading(proven, requestId, holding, succession, current, term, since);
        boolean abrupt = current < lease && !proven.provenWithin(current / 2, step.view.now());
        step.state = abrupt ? this : renewed;
    }

    /** The node stays: if it still exists when ZooKeeper answers again, a new term may begin. */
    @Override
    public void lapsed(Step step, long lapsed) {
        if (lapsed == term) {
            revokeLapsed(step);
            new Detached(ownNode, NO_REQUEST, null).evaluateWhenThereIsRoom(step);
        }
    }

    void revokeLapsed(Step step) {
        step.revoke(this, step.view.connected() ? RevocationReason.LEASE_EXPIRED : RevocationReason.CONNECTION_LOST);
    }

    // the watches: on the own node, and on the queue, which shows the heir

    private boolean lacksQueue(Step step) {
        return !step.queueWatched || !succession.isKnown();
    }

    /** No lease depends on this watch, so candidates without a place in the queue come first. */
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

    /** Keeps leading until its lease ends. After a pause, the lease may be over before the loss is noticed. */
    @Override
    public void disconnected(Step step, boolean watchesKept) {
        if (isValid(step.view.now())) {
            step.state = watchesKept ? this : with(ownNode.arm(false));
        } else {
            step.revoke(this, RevocationReason.LEASE_EXPIRED);
            step.state = new Detached(ownNode.arm(false), NO_REQUEST, null);
        }
    }

    /**
     * If the watches were kept, one heartbeat proves the nodes of all elections at once. They are set again anyway: an
     * overloaded server may silently have failed to restore them.
     */
    @Override
    public void connected(Step step) {
        step.arm(ownNode);
        step.emit(new Command.SendHeartbeat());
        if (ownNode.armed()) {
            step.armWhenThereIsRoom(ownNode);
        }
        watchQueue(step);
        step.readQueueAndRecordLeisurely(requestId);
    }

    /** The watches are set again only if one is known to be missing, or has failed to report something. */
    @Override
    public void recheck(Step step) {
        if (!ownNode.armed() || lacksQueue(step)) {
            setAllWatches(step);
        } else {
            step.readQueueAndRecordLeisurely(requestId);
        }
    }

    void setAllWatches(Step step) {
        CandidateNode unarmed = ownNode.arm(false);
        step.state = with(unarmed);
        step.arm(unarmed);
        step.list(requestId, true);
        step.readRecord(requestId);
    }

    // the queue and the record

    @Override
    public void answered(Step step, Command.Send to, Reply reply) {
        if (to.purpose() == Purpose.LIST) {
            CandidateQueue queue = step.queueIn(to, reply);
            if (lacksOwnNode(queue, reply)) {
                NodeLost.begin(step, this);
            } else if (reply.ok()) {
                new Appointing(step, this).listed(queue, Step.setsWatch(to));
            }
        } else if (to.purpose() == Purpose.RECORD && reply.ok()) {
            recordRead(step, LeaderRecord.parse(reply.data()).orElse(null), reply.stat());
        } else if (to.purpose() == Purpose.RESTORE && !reply.ambiguous()) {
            // Written by us, or earlier by another candidate: a read shows which.
            step.readRecord(requestId);
        } else {
            new Appointing(step, this).answered(to, reply);
        }
    }

    /**
     * R38: a leader whose record was deleted writes it again, because it need not be first in the queue: the first
     * candidate would claim after its wait. The queue's watch reports the deletion before any later acknowledgement.
     * Until the record is read again, no versioned write is sent: the election may have ended.
     */
    Leading restoreRecord(Step step) {
        byte[] held = holding.record(ownNode.name(), "");
        Request create = new Request.Create(step.config.record(), held, CreateMode.PERSISTENT);
        step.send(Purpose.RESTORE, requestId, new Request.Multi(List.of(new Request.Check(ownNode.path()), create)));
        return with(holding.unread());
    }

    private void recordRead(Step step, @Nullable LeaderRecord record, Stat stat) {
        if (record != null && record.state() == LeaderRecord.State.ENDED) {
            // The process that marked the end may have died before it could delete our node.
            step.formerNode = ownNode.name();
            NodeLost.ended(step, ownNode, term);
        } else if (record == null || !record.heldBy(ownNode.name())) {
            // Another client overwrote the record, including the lease that a successor has to wait for.
            step.revoke(this, RevocationReason.NODE_LOST);
            Evaluating.begin(step, this);
        } else {
            step.state = with(holding.read(record, stat));
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
    public void woken(Step step) {
        new Appointing(step, this).handOverNow();
    }

    /** R39: priorities and spreading do not end a term that a client has requested. */
    @Override
    public void move(Step step, MoveCause cause, String to) {
        if (!holding.requested()) {
            new Appointing(step, this).byPolicy(cause, to);
        }
    }

    @Override
    public void leave(Step step, RevocationReason reason, AfterLeaving then) {
        step.revoke(this, reason);
        Draining.beginAsLeader(step, this, then);
    }

    /** After a pause the lease has ended before the session has, whatever is noticed first. */
    @Override
    public void expired(Step step) {
        boolean valid = isValid(step.view.now());
        step.revoke(this, valid ? RevocationReason.SESSION_EXPIRED : RevocationReason.LEASE_EXPIRED);
        Pending.afterExpiry(step);
    }
}
