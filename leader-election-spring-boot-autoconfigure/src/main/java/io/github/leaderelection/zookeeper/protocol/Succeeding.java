package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.Optional;

/**
 * The predecessor is gone. A leader that leaves in good order names its heir, so the record is read first, and alone.
 *
 * @param last that predecessor
 */
public record Succeeding(CandidateNode ownNode, long requestId, Predecessor last) implements Queued {

    /** A heartbeat goes along, so that a named heir leads without another round trip, unless a recent one still counts. */
    static void begin(Step step, Following following) {
        long requestId = step.nextRequestId();
        CandidateNode ownNode = following.ownNode();
        step.state = new Succeeding(ownNode, requestId, following.predecessor());
        step.arm(ownNode);
        step.readRecord(requestId);
        if (!ownNode.armed() || !ownNode.provenWithin(step.view.lease() / 2, step.view.now())) {
            step.emit(new Command.SendHeartbeat());
        }
    }

    @Override
    public Predecessor observed() {
        return last;
    }

    @Override
    public Succeeding with(CandidateNode ownNode) {
        return new Succeeding(ownNode, requestId, last);
    }

    /** Named: leads, whatever the queue is. Otherwise the queue is read, and after it the record once more. */
    @Override
    public void answered(Step step, Command.Send to, Reply reply) {
        if (to.purpose() != Purpose.RECORD || reply.ambiguous()) {
            return;
        }
        Optional<LeaderRecord> record = reply.content().flatMap(LeaderRecord::parse);
        if (record.isPresent() && record.get().heldBy(ownNode.name())) {
            int version = reply.stat().getVersion();
            Named.begin(
                    step, ownNode, CandidateQueue.NONE, version, record.get().lease());
        } else {
            Evaluating.afterPredecessor(step, ownNode, last);
        }
    }
}
