package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import org.apache.zookeeper.data.Stat;

/** Decides what a candidate does, given its place in the queue and the record: the protocol's central table. */
record Decision(Step step, Evaluating evaluating, CandidateNode ownNode, CandidateQueue queue) {

    /** Stands in for an ancestor that could not be read. */
    static final Stat SOMETHING_DELETED = new Stat(1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1);

    /** @param reply the record, or that there is none */
    void make(Reply reply) {
        String predecessor = queue.before(ownNode.name());
        LeaderRecord record = LeaderRecord.parse(reply.data()).orElse(null);
        Claim claim = Claim.of(reply);
        if (record == null) {
            if (predecessor != null) {
                follow(predecessor, queue.before(predecessor) == null);
            } else if (reply.noNode()) {
                claimOfNewElection(claim);
            } else {
                waitForAnyLease(claim);
            }
        } else if (record.state() == LeaderRecord.State.ENDED) {
            electionEnded(reply.stat().getMzxid() > ownNode.czxid());
        } else if (record.heldBy(ownNode.name())) {
            // R16: by the node's name. An id may be shared, and a GUID may have two nodes.
            Named.begin(step, ownNode, queue, Holding.of(record, reply.stat()));
        } else if (record.state() == LeaderRecord.State.HELD && inherits(record)) {
            Following.begin(step, evaluating, record.holder(), false, claim);
        } else if (predecessor != null) {
            follow(predecessor, queue.before(predecessor) == null && !queue.contains(record.holder()));
        } else if (record.state() == LeaderRecord.State.NEWER) {
            refuseToLead();
        } else if (record.state() == LeaderRecord.State.RELEASED
                || record.holder().equals(step.formerNode)) {
            Claiming.begin(step, ownNode, queue, claim);
        } else if (queue.contains(record.holder())) {
            // R13: the holder may lead for as long as its node exists, whatever the order of the queue.
            follow(record.holder(), false);
        } else if (!evaluating.confirms(claim)) {
            // R28: the holder may have joined after the list was read, so only a later list shows that it is gone.
            evaluating.confirm(step, claim);
        } else {
            // R10: the record's lease, not our own.
            AwaitingLeaseEnd.begin(step, evaluating, queue, claim, lastRenewal(record), record.lease());
        }
    }

    /**
     * Whether we are the heir of the holder: the one in the record, or, if it has none, the candidate that follows the
     * holder anyway. A live holder soon appoints an heir; a holder that crashed while it was alone does not.
     */
    private boolean inherits(LeaderRecord record) {
        String holder = record.holder();
        String heir = record.heir().isEmpty() ? queue.watcherOf(holder) : record.heir();
        return queue.contains(holder) && ownNode.name().equals(heir);
    }

    private void follow(String node, boolean idle) {
        Following.begin(step, evaluating, node, idle, null);
    }

    /**
     * R9: a time after which the holder cannot have sent a heartbeat that was acknowledged. The reply that lists us
     * first shows that the holder's node is gone. R22: a candidate that observed all heartbeats of that holder knows
     * when the last one came.
     */
    private long lastRenewal(LeaderRecord record) {
        Predecessor last = evaluating.last();
        long listed = queue.answeredAt();
        if (last == null || !record.holder().equals(last.node())) {
            return listed;
        }
        Sighting seen = step.view.sightings().apply(last.heartbeat());
        return seen != null && seen.at() - listed < 0 ? seen.at() : listed;
    }

    private void waitForAnyLease(Claim claim) {
        AwaitingLeaseEnd.begin(step, evaluating, queue, claim, queue.answeredAt(), step.view.sessionTimeout());
    }

    /**
     * R12: without a record, any process may have led here just now, unless there was no earlier election. To find out,
     * walk up to a node that is older than any lease: if nothing was ever deleted on the way, there was none.
     */
    private void claimOfNewElection(Claim claim) {
        String path = step.config.path();
        Stat stat = evaluating.reads().stats().get(path);
        while (stat != null && !deletedFrom(stat)) {
            boolean realRoot = stat.getCzxid() == 0;
            if (realRoot || ownNode.ctime() - stat.getCtime() > step.view.sessionTimeout()) {
                Claiming.begin(step, ownNode, queue, claim);
                return;
            }
            if (path.equals("/")) {
                break;
            }
            path = Paths.parent(path);
            stat = evaluating.reads().stats().get(path);
        }
        if (stat == null) {
            step.send(Purpose.STAT, evaluating.requestId(), new Request.Exists(path));
        } else {
            waitForAnyLease(claim);
        }
    }

    /** ZooKeeper counts creates and deletes of children in cversion; the real root starts at −1 with one child. */
    private static boolean deletedFrom(Stat stat) {
        int difference = stat.getCversion() - stat.getNumChildren();
        return difference != (stat.getCzxid() == 0 ? -2 : 0);
    }

    /** A later version may have rules that this one would break. */
    private void refuseToLead() {
        step.fail(new ElectionException("Cannot lead: " + step.config.record()
                + " was written by a later version of this library. Update this instance"));
        step.state = evaluating;
        step.pause(evaluating.requestId());
    }

    /** An election that ended before we joined is cleared. A crashed deleter may have left our node, which goes too. */
    private void electionEnded(boolean whileWeTookPart) {
        if (whileWeTookPart) {
            step.emit(new Command.Ended());
        }
        Draining.begin(step, evaluating, whileWeTookPart ? AfterLeaving.END : AfterLeaving.CLEAR);
    }
}
