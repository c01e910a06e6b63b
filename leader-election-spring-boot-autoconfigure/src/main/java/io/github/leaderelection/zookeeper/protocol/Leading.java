package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import java.util.OptionalInt;

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
        long lease = named.lease(step);
        long requestId = step.nextRequestId();
        CandidateNode ownNode = named.ownNode();
        Holding holding = named.holding();
        Succession succession =
                Succession.UNKNOWN.listed(named.queue(), ownNode.name(), holding.heir(), step.view.heirs());
        Leading leading = new Leading(
                ownNode,
                requestId,
                holding,
                succession,
                lease,
                step.grant(),
                step.view.now().millis());
        step.state = leading;
        Moving.preemptLater(step, leading, null);
        step.recovered();
        if (!ownNode.armed()) {
            // The claim has proven the node for a lease, so candidates without a place in the queue come first.
            step.sendWhenThereIsRoom(Purpose.OWN_NODE, requestId, new Request.Get(ownNode.path(), true));
        }
        if (leading.lacksQueue(step)) {
            leading.watchQueue(step);
        } else {
            Appointing.proceed(step, leading);
        }
        if (!ownNode.provenWithin(leading.heartbeatInterval(), step.view.now())) {
            step.emit(new Command.SendHeartbeat());
        }
    }

    @Override
    public Leading with(CandidateNode ownNode) {
        return new Leading(ownNode, requestId, holding, succession, lease, term, since);
    }

    Leading with(Succession succession) {
        return new Leading(ownNode, requestId, holding, succession, lease, term, since);
    }

    Leading with(Holding holding) {
        return new Leading(ownNode, requestId, holding, succession, lease, term, since);
    }

    private Leading renewed(Moment sent, long lease) {
        return new Leading(ownNode.prove(sent), requestId, holding, succession, lease, term, since);
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
        return proof().within(lease, nowNanos, nowMillis);
    }

    /** When the lease is over unless it is renewed, by the monotonic clock. */
    public long leaseEnd() {
        return proof().nanosAfter(lease);
    }

    /** When the lease ends unless it is renewed, by the wall clock. */
    long leaseEndMillis() {
        return proof().millis() + lease;
    }

    private Moment proof() {
        Moment provenAt = ownNode.provenAt();
        if (provenAt == null) {
            throw new IllegalStateException("Leads without a proof: " + this);
        }
        return provenAt;
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
            lapse(step);
        }
    }

    /** A lease that became shorter takes effect with a heartbeat that leaves time for the next one. */
    @Override
    public void proven(Step step, Moment sent) {
        long current = step.view.validity(holding.lease());
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
        revokeLapsed(step);
        new Detached(ownNode, NO_REQUEST, null).evaluateWhenThereIsRoom(step);
    }

    void revokeLapsed(Step step) {
        step.revoke(this, step.view.connected() ? RevocationReason.LEASE_EXPIRED : RevocationReason.CONNECTION_LOST);
    }

    // the watches: on the own node, and on the queue, which shows the heir

    private boolean lacksWatches(Step step) {
        return !ownNode.armed() || lacksQueue(step);
    }

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

    void setAllWatches(Step step) {
        CandidateNode unarmed = ownNode.arm(false);
        step.state = with(unarmed);
        step.arm(unarmed);
        step.list(requestId, true);
        step.readRecord(requestId);
    }

    @Override
    public void answered(Step step, Command.Send to, Reply reply) {
        RecordKeeping.answered(step, this, to, reply);
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
        Moving.handOverNow(step, this);
    }

    @Override
    public void spread(Step step, String to) {
        Moving.spread(step, this, to);
    }

    @Override
    public void preempt(Step step, String candidate) {
        Moving.preempt(step, this, candidate);
    }

    @Override
    public void leave(Step step, RevocationReason reason, AfterLeaving then) {
        step.revoke(this, reason);
        Draining.beginAsLeader(step, this, then);
    }

    /** After a pause the lease has ended before the session has, whatever is noticed first. */
    @Override
    public void expired(Step step) {
        boolean lapsed = !isValid(step.view.now());
        step.revoke(this, lapsed ? RevocationReason.LEASE_EXPIRED : RevocationReason.SESSION_EXPIRED);
        Pending.afterExpiry(step);
    }
}
