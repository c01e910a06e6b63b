package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** What a candidate does, given its place in the queue and the record: the one table that everything hinges on. */
final class Decision {

    /** Stands in for an ancestor that could not be read. */
    static final Stat SOMETHING_DELETED = new Stat(1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1);

    private final Step step;
    private final Evaluating evaluating;
    private final CandidateNode ownNode;
    private final CandidateQueue queue;

    Decision(Step step, Evaluating evaluating, CandidateQueue queue) {
        this.step = step;
        this.evaluating = evaluating;
        this.ownNode = evaluating.ownNode();
        this.queue = queue;
    }

    /** @param reply the record, or that there is none */
    void make(Reply reply) {
        String predecessor = queue.before(ownNode.name());
        LeaderRecord record = reply.content().flatMap(LeaderRecord::parse).orElse(null);
        int version = reply.noNode() ? Claiming.NO_RECORD : reply.stat().getVersion();
        if (record == null) {
            if (predecessor != null) {
                Following.begin(step, evaluating, predecessor, isFirst(predecessor));
            } else if (reply.noNode()) {
                claimOfNewElection();
            } else {
                waitForAnyLease(version);
            }
        } else if (record.state() == LeaderRecord.State.ENDED) {
            electionEnded(reply.stat().getMzxid() > ownNode.czxid());
        } else if (record.heldBy(ownNode.name())) {
            // R16: by the node's name. An id may be shared, and a GUID may have two nodes.
            Named.begin(step, ownNode, queue, version, record.lease());
        } else if (record.token() >= ownNode.czxid()) {
            // R25: a younger node has led, so our token would be a step back.
            rejoin(record.token() > reply.stat().getMzxid());
        } else if (predecessor != null) {
            Following.begin(step, evaluating, predecessor, isFirst(predecessor) && !record.heldBy(predecessor));
        } else if (record.state() == LeaderRecord.State.RELEASED
                || record.holder().equals(step.formerNode)) {
            Claiming.begin(step, ownNode, queue, version);
        } else if (queue.contains(record.holder())) {
            // R13: the holder may lead for as long as its node exists, whatever the order of the queue.
            Following.begin(step, evaluating, record.holder(), false);
        } else {
            // R10: the record's lease, not our own.
            claimAfter(lastRenewal(record), record.lease(), version);
        }
    }

    private boolean isFirst(@Nullable String node) {
        return node != null && queue.before(node) == null;
    }

    /** R11: 1.1 times the lease, since clock rates may differ by 10 %. */
    private void claimAfter(long nanos, long lease, int version) {
        AwaitingLeaseEnd.begin(step, evaluating, queue, version, nanos + lease * 1_100_000);
    }

    /**
     * R9: a time after which the holder cannot have sent a heartbeat that was acknowledged. The reply that lists us first
     * shows that the holder's node is gone. R22: a candidate that observed all heartbeats of that very holder knows when the
     * last one came.
     */
    private long lastRenewal(LeaderRecord record) {
        Predecessor last = evaluating.last();
        long listed = queue.answeredAt();
        if (last == null || !record.holder().equals(last.node())) {
            return listed;
        }
        long seen = step.view.observedHeartbeats().apply(last.heartbeat()).orElse(listed);
        return seen - listed < 0 ? seen : listed;
    }

    private void waitForAnyLease(int version) {
        claimAfter(queue.answeredAt(), step.view.sessionTimeout(), version);
    }

    /**
     * R12: without a record anybody may have led here a moment ago, unless there was no earlier election. To find out, walk
     * up to a node that is older than any lease: if nothing was ever deleted on the way, there was none.
     */
    private void claimOfNewElection() {
        String path = step.config.path();
        Stat stat =
                queue.stat() != null ? queue.stat() : evaluating.reads().stats().get(path);
        while (stat != null && !deletedFrom(stat)) {
            boolean realRoot = stat.getCzxid() == 0;
            if (realRoot || ownNode.ctime() - stat.getCtime() > step.view.sessionTimeout()) {
                Claiming.begin(step, ownNode, queue, Claiming.NO_RECORD);
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
            waitForAnyLease(Claiming.NO_RECORD);
        }
    }

    /** ZooKeeper counts creates and deletes of children in cversion; the real root starts at −1 with one child. */
    private static boolean deletedFrom(Stat stat) {
        int difference = stat.getCversion() - stat.getNumChildren();
        return difference != (stat.getCzxid() == 0 ? -2 : 0);
    }

    /** @param vain whether joining again does not help: the token is ahead of everything this ZooKeeper has counted */
    private void rejoin(boolean vain) {
        if (vain) {
            step.fail(new ElectionException("No candidate can lead: the token in " + step.config.record()
                    + " is ahead of this ZooKeeper's own numbers. If it was copied from elsewhere, delete that node"));
        }
        Draining.begin(step, evaluating, AfterLeaving.PAUSE);
    }

    /** An election that ended before we joined is cleared away. A deleter that died may have left our node: it goes, too. */
    private void electionEnded(boolean whileWeTookPart) {
        if (whileWeTookPart) {
            step.emit(new Command.Ended());
        }
        Draining.begin(step, evaluating, whileWeTookPart ? AfterLeaving.END : AfterLeaving.CLEAR);
    }
}
