package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** What a candidate does, given its place in the queue and the record. */
public sealed interface Decision {

    /** The version of a record that does not exist. */
    int NO_RECORD = -1;

    /** Stands in for an ancestor that could not be read. */
    Stat SOMETHING_DELETED = new Stat(1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1);

    void act(Step step, Evaluating evaluating, CandidateQueue queue);

    /**
     * Wait behind another candidate.
     *
     * @param idle whether that one is first and does not lead
     */
    record Follow(String predecessor, boolean idle) implements Decision {
        @Override
        public void act(Step step, Evaluating evaluating, CandidateQueue queue) {
            Following.begin(step, evaluating, predecessor, idle);
        }
    }

    record Claim(int version) implements Decision {
        @Override
        public void act(Step step, Evaluating evaluating, CandidateQueue queue) {
            Claiming.begin(step, evaluating.ownNode(), queue, version);
        }
    }

    /** Claim, but not before the given time of the monotonic clock. */
    record Wait(long until, int version) implements Decision {
        @Override
        public void act(Step step, Evaluating evaluating, CandidateQueue queue) {
            AwaitingLeaseEnd.begin(step, evaluating, queue, version, until);
        }
    }

    /** The record names our own node: lead, as long as heartbeats are acknowledged. */
    record Lead(int version, long lease) implements Decision {
        @Override
        public void act(Step step, Evaluating evaluating, CandidateQueue queue) {
            Named.begin(step, evaluating.ownNode(), queue, version, lease);
        }
    }

    /** The Stat of the election node, or of this ancestor, is needed first. */
    record ReadStat(String node) implements Decision {
        @Override
        public void act(Step step, Evaluating evaluating, CandidateQueue queue) {
            step.send(Purpose.STAT, evaluating.requestId(), new Request.Exists(node));
        }
    }

    /**
     * Leave, and join again at the end of the queue.
     *
     * @param vain whether that does not help: the record's token is ahead of everything this ZooKeeper has counted
     */
    record Rejoin(boolean vain) implements Decision {
        @Override
        public void act(Step step, Evaluating evaluating, CandidateQueue queue) {
            if (vain) {
                step.fail(
                        new ElectionException(
                                "No candidate can lead: the token in " + step.config.record()
                                        + " is ahead of this ZooKeeper's own numbers. If it was copied from elsewhere, delete that node"));
            }
            Draining.begin(step, evaluating, AfterLeaving.PAUSE);
        }
    }

    /** The election ended while we took part. A deleter that died may have left our node, so it goes here. */
    record Ended() implements Decision {
        @Override
        public void act(Step step, Evaluating evaluating, CandidateQueue queue) {
            step.emit(new Command.Ended());
            Draining.begin(step, evaluating, AfterLeaving.END);
        }
    }

    /** The election had ended before we joined: make room for clearing it away. */
    record Clear() implements Decision {
        @Override
        public void act(Step step, Evaluating evaluating, CandidateQueue queue) {
            Draining.begin(step, evaluating, AfterLeaving.CLEAR);
        }
    }

    /**
     * Decides by what was read.
     *
     * @param queue the candidates, in order
     * @param reply the record, or that there is none
     * @param formerNode the node on which this process last led, and certainly no longer does
     */
    static Decision of(
            String election,
            Evaluating evaluating,
            CandidateQueue queue,
            Reply reply,
            @Nullable String formerNode,
            View view) {
        CandidateNode ownNode = evaluating.ownNode();
        String predecessor = queue.before(ownNode.name());
        boolean idle = predecessor != null && queue.before(predecessor) == null;
        if (reply.noNode()) {
            return predecessor != null
                    ? new Follow(predecessor, idle)
                    : withoutRecord(election, queue, evaluating.reads(), ownNode, view);
        }
        int version = reply.stat().getVersion();
        Optional<LeaderRecord> readable = LeaderRecord.parse(reply.data());
        if (readable.isEmpty()) {
            return predecessor != null ? new Follow(predecessor, idle) : waitForAnyLease(queue, view, version);
        }
        LeaderRecord record = readable.get();
        if (record.state() == LeaderRecord.State.ENDED) {
            return reply.stat().getMzxid() > ownNode.czxid() ? new Ended() : new Clear();
        }
        if (record.heldBy(ownNode.name())) {
            // R16: by the node's name. An id may be shared, and a GUID may have two nodes.
            return new Lead(version, record.lease());
        }
        if (record.token() >= ownNode.czxid()) {
            // R25: a younger node has led, so our token would be a step back.
            return new Rejoin(record.token() > reply.stat().getMzxid());
        }
        if (predecessor != null) {
            return new Follow(predecessor, idle && !record.heldBy(predecessor));
        }
        if (record.state() == LeaderRecord.State.RELEASED || record.holder().equals(formerNode)) {
            return new Claim(version);
        }
        if (queue.contains(record.holder())) {
            // R13: the holder may lead for as long as its node exists, whatever the order of the queue.
            return new Follow(record.holder(), false);
        }
        // R10: the record's lease, not our own.
        return new Wait(after(lastRenewal(queue, record, evaluating.last(), view), record.lease()), version);
    }

    /**
     * R9: a time after which the holder cannot have sent a heartbeat that was acknowledged. The answer that lists us first
     * shows that the holder's node is gone. R22: a candidate that observed all heartbeats of that very holder knows when the
     * last one came.
     */
    private static long lastRenewal(CandidateQueue queue, LeaderRecord record, @Nullable Predecessor last, View view) {
        if (last == null || !record.holder().equals(last.node())) {
            return queue.answeredAt();
        }
        long seen = view.observedHeartbeats().apply(last.heartbeat()).orElse(queue.answeredAt());
        return seen - queue.answeredAt() < 0 ? seen : queue.answeredAt();
    }

    /**
     * R12: without a record anybody may have led here a moment ago, unless there was no earlier election. To find out, walk
     * up to a node that is older than any lease: if nothing was ever deleted on the way, there was none.
     */
    private static Decision withoutRecord(
            String election, CandidateQueue queue, QueueReads reads, CandidateNode ownNode, View view) {
        String path = election;
        Stat stat = queue.stat() != null ? queue.stat() : reads.stats().get(path);
        while (stat != null && !deletedFrom(stat)) {
            boolean realRoot = stat.getCzxid() == 0;
            if (realRoot || ownNode.ctime() - stat.getCtime() > view.sessionTimeout()) {
                return new Claim(NO_RECORD);
            }
            if (path.equals("/")) {
                return waitForAnyLease(queue, view, NO_RECORD);
            }
            path = Paths.parent(path);
            stat = reads.stats().get(path);
        }
        return stat == null ? new ReadStat(path) : waitForAnyLease(queue, view, NO_RECORD);
    }

    /** ZooKeeper counts creates and deletes of children in cversion; the real root starts at −1 with one child. */
    private static boolean deletedFrom(Stat stat) {
        int difference = stat.getCversion() - stat.getNumChildren();
        return difference != (stat.getCzxid() == 0 ? -2 : 0);
    }

    private static Decision waitForAnyLease(CandidateQueue queue, View view, int version) {
        return new Wait(after(queue.answeredAt(), view.sessionTimeout()), version);
    }

    /** R11: 1.1 times the lease, since clock rates may differ by 10 %. */
    private static long after(long nanos, long lease) {
        return nanos + lease * 1_100_000;
    }
}
