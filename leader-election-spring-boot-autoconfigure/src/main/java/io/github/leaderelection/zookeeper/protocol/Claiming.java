package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** First, and writing the own node's name into the record. */
public record Claiming(
        CandidateNode ownNode, long requestId, CandidateQueue queue, int version, Moment sent, long lease)
        implements Queued {

    /** The version of a record that does not exist. */
    public static final int NO_RECORD = -1;

    /**
     * One transaction: our node exists (R8), the record is the one that was read (R6), and the heartbeat is rewritten so
     * that observers of this connection see the claim (R7).
     */
    static void begin(Step step, CandidateNode ownNode, CandidateQueue queue, int version) {
        long requestId = step.nextRequestId();
        long lease = step.view.lease();
        step.state = new Claiming(ownNode, requestId, queue, version, step.view.now(), lease);
        byte[] held = LeaderRecord.held(ownNode.name(), ownNode.czxid(), lease).toJson();
        String record = step.config.record();
        step.send(
                Purpose.CLAIM,
                requestId,
                new Request.Multi(List.of(
                        new Request.Check(ownNode.path()),
                        version == NO_RECORD
                                ? new Request.Create(record, held, CreateMode.PERSISTENT)
                                : new Request.Set(record, held, version),
                        new Request.Set(step.view.heartbeat(), Request.NO_DATA, -1))));
    }

    @Override
    public Claiming with(CandidateNode ownNode) {
        return new Claiming(ownNode, requestId, queue, version, sent, lease);
    }

    /** R1: the lease runs from the moment at which the claim was sent. */
    @Override
    public void answered(Step step, Command.Send to, Reply reply) {
        if (to.purpose() != Purpose.CLAIM || reply.ambiguous()) {
            return;
        }
        if (reply.ok()) {
            Named.claimed(step, ownNode.prove(sent), queue, version + 1, lease);
        } else if (reply.code() == Code.BADVERSION || reply.code() == Code.NODEEXISTS) {
            Evaluating.begin(step, this);
        } else if (reply.noNode()) {
            // Our node, the record or the heartbeat is missing: another look at the queue tells the first two apart.
            step.emit(new Command.CreateHeartbeat());
            step.state = Evaluating.of(ownNode, requestId);
            step.pause(requestId);
        } else {
            step.retryLater(Evaluating.of(ownNode, requestId), to, reply);
        }
    }
}
