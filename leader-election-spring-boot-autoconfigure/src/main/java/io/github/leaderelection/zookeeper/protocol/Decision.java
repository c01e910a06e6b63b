package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** What a candidate is to do, by its place in the queue and by the record. */
public sealed interface Decision {

    /** The version of a record that is not there. */
    int NO_RECORD = -1;

    /** Stands in for an ancestor that could not be read. */
    Stat SOMETHING_DELETED = new Stat(1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1);

    /**
     * Wait behind another candidate.
     *
     * @param idle whether that one is first and does not lead
     */
    record Follow(String predecessor, boolean idle) implements Decision {}

    record Claim(int version) implements Decision {}

    /** Claim, but not before the given time of the monotonic clock. */
    record Wait(long until, int version) implements Decision {}

    /** The record names our own node: lead, as long as beats are acknowledged. */
    record Lead(int version, long lease) implements Decision {}

    /** It takes the Stat of the election node, or of this ancestor, to tell. */
    record Ask(String node) implements Decision {}

    /**
     * Leave, and join afresh at the end of the queue.
     *
     * @param vain whether that will not help: the record's token is ahead of all that this ZooKeeper has counted
     */
    record Rejoin(boolean vain) implements Decision {}

    /** The election ended while we took part. */
    record Ended() implements Decision {}

    /** The election had ended before we came. */
    record Clear() implements Decision {}

    /**
     * Judges what was read.
     *
     * @param queue the queue, in order
     * @param reply the record, or that there is none
     * @param formerNode the node on which this process last led, and surely does no more
     */
    static Decision of(
            String election,
            State.Evaluating evaluating,
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
                    : missing(election, queue, evaluating.found(), ownNode, view);
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
            return new Lead(version, record.lease());
        }
        if (record.token() >= ownNode.czxid()) {
            // Somebody younger has led: our token would be a step back.
            return new Rejoin(record.token() > reply.stat().getMzxid());
        }
        if (predecessor != null) {
            return new Follow(predecessor, idle && !record.heldBy(predecessor));
        }
        if (record.state() == LeaderRecord.State.RELEASED || record.holder().equals(formerNode)) {
            return new Claim(version);
        }
        if (queue.contains(record.holder())) {
            // It may lead for as long as its node is there, whatever the order of the queue.
            return new Follow(record.holder(), false);
        }
        return new Wait(after(lastRenewal(queue, record, evaluating.last(), view), record.lease()), version);
    }

    /**
     * A time after which the holder cannot have sent a beat that was acknowledged. Whoever listed us first knows that
     * the holder's node is gone; whoever saw all its beats knows when the last one came.
     */
    private static long lastRenewal(CandidateQueue queue, LeaderRecord record, @Nullable Predecessor last, View view) {
        if (last == null || !record.holder().equals(last.node())) {
            return queue.answeredAt();
        }
        long seen = view.observedHeartbeats().apply(last.heartbeat()).orElse(queue.answeredAt());
        return seen - queue.answeredAt() < 0 ? seen : queue.answeredAt();
    }

    /**
     * There is no record. If nobody can have led here a moment ago, nobody needs to be waited for: walk up to a node
     * that has been there for longer than any lease lasts; if nothing was ever deleted on the way, there was no election.
     */
    private static Decision missing(
            String election, CandidateQueue queue, QueueReads found, CandidateNode ownNode, View view) {
        String path = election;
        Stat stat = queue.stat() != null ? queue.stat() : found.stats().get(path);
        while (stat != null && !deletedFrom(stat)) {
            boolean realRoot = stat.getCzxid() == 0;
            if (realRoot || ownNode.ctime() - stat.getCtime() > view.sessionTimeout()) {
                return new Claim(NO_RECORD);
            }
            if (path.equals("/")) {
                return waitForAnyLease(queue, view, NO_RECORD);
            }
            path = Paths.parent(path);
            stat = found.stats().get(path);
        }
        return stat == null ? new Ask(path) : waitForAnyLease(queue, view, NO_RECORD);
    }

    /** ZooKeeper counts creates and deletes of children in cversion; the real root starts at −1 with one child. */
    private static boolean deletedFrom(Stat stat) {
        int difference = stat.getCversion() - stat.getNumChildren();
        return difference != (stat.getCzxid() == 0 ? -2 : 0);
    }

    private static Decision waitForAnyLease(CandidateQueue queue, View view, int version) {
        return new Wait(after(queue.answeredAt(), view.sessionTimeout()), version);
    }

    /** Clock rates may differ by 10 %. */
    private static long after(long nanos, long lease) {
        return nanos + lease * 1_100_000;
    }
}
