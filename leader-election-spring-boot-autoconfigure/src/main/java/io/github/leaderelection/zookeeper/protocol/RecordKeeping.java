package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;

/** How a leader makes sure that it is still in the queue, and that the record still names it. */
final class RecordKeeping {

    private RecordKeeping() {}

    static void answered(Step step, Leading leading, Command.Send to, Reply reply) {
        if (to.purpose() == Purpose.LIST) {
            CandidateQueue queue = step.queueIn(to, reply);
            if (reply.noNode()
                    || reply.ok() && !queue.contains(leading.ownNode().name())) {
                NodeLost.begin(step, leading);
            } else if (reply.ok()) {
                listed(step, leading, queue, Step.setsWatch(to));
            }
        } else if (to.purpose() == Purpose.RECORD && reply.ok()) {
            recordRead(step, leading, LeaderRecord.parse(reply.data()), reply.stat());
        } else if (to.purpose() == Purpose.RESTORE && !reply.ambiguous()) {
            // Written by us, or earlier by another candidate: a read shows which.
            step.readRecord(leading.requestId());
        } else {
            Appointing.answered(step, leading, to, reply);
        }
    }

    private static void listed(Step step, Leading leading, CandidateQueue queue, boolean setWatch) {
        CandidateNode ownNode = leading.ownNode();
        Succession before = leading.succession();
        Leading informed = leading.with(
                before.listed(queue, ownNode.name(), leading.holding().heir(), step.view.heirs()));
        step.deleteOrphans(ownNode.candidacy(), queue, ownNode.name());
        if (!queue.recordListed()) {
            restoreRecord(step, leading);
            informed = informed.with(informed.holding().unread());
        }
        Moving.preemptLater(step, informed, before.heir());
        boolean watchMissedIt =
                !setWatch && step.queueWatched && informed.succession().candidates() != before.candidates();
        if (watchMissedIt) {
            informed.setAllWatches(step);
        } else {
            Appointing.proceed(step, informed);
        }
    }

    /**
     * R38: a leader whose record was deleted writes it again, because it need not be first in the queue: the first
     * candidate would claim after its wait. The queue's watch reports the deletion before any later acknowledgement.
     * Until the record is read again, no versioned write is sent: the election may have ended.
     */
    private static void restoreRecord(Step step, Leading leading) {
        CandidateNode ownNode = leading.ownNode();
        byte[] held = leading.holding().record(ownNode.name(), "").toJson();
        Request create = new Request.Create(step.config.record(), held, CreateMode.PERSISTENT);
        List<Request> parts = List.of(new Request.Check(ownNode.path()), create);
        step.send(Purpose.RESTORE, leading.requestId(), new Request.Multi(parts));
    }

    private static void recordRead(Step step, Leading leading, Optional<LeaderRecord> record, Stat stat) {
        CandidateNode ownNode = leading.ownNode();
        if (record.isPresent() && record.get().state() == LeaderRecord.State.ENDED) {
            // The process that marked the end may have died before it could delete our node.
            step.formerNode = ownNode.name();
            NodeLost.ended(step, ownNode, leading.term());
        } else if (record.isEmpty() || !record.get().heldBy(ownNode.name())) {
            // Another client overwrote the record, including the lease that a successor has to wait for.
            step.revoke(leading, RevocationReason.NODE_LOST);
            Evaluating.begin(step, leading);
        } else {
            step.state = leading.with(leading.holding().read(record.get(), stat));
        }
    }
}
