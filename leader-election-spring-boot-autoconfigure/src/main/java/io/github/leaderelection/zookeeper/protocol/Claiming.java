package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** First in the queue, and writing the own node's name into the record. */
public record Claiming(
        CandidateNode ownNode, long requestId, CandidateQueue queue, Claim claim, Moment sent, long lease)
        implements Queued {

    /**
     * One transaction: our node exists (R8), the record is the one that was read (R6), and the heartbeat is rewritten
     * so that observers of this connection see the claim (R7).
     */
    static void begin(Step step, CandidateNode ownNode, CandidateQueue queue, Claim claim) {
        long requestId = step.nextRequestId();
        long lease = step.view.lease();
        step.state = new Claiming(ownNode, requestId, queue, claim, step.view.now(), lease);
        byte[] held = LeaderRecord.held(ownNode.name(), claim.token(), lease).toJson();
        String record = step.config.record();
        Request write = claim.version() == Claim.NO_RECORD
                ? new Request.Create(record, held, CreateMode.PERSISTENT)
                : new Request.Set(record, held, claim.version());
        List<Request> parts = List.of(new Request.Check(ownNode.path()), write, step.heartbeat());
        step.send(Purpose.CLAIM, requestId, new Request.Multi(parts));
    }

    @Override
    public Claiming with(CandidateNode ownNode) {
        return new Claiming(ownNode, requestId, queue, claim, sent, lease);
    }

    /** R1: the lease runs from the moment at which the claim was sent. */
    @Override
    public void answered(Step step, Command.Send to, Reply reply) {
        if (to.purpose() != Purpose.CLAIM || reply.ambiguous()) {
            return;
        }
        if (reply.ok()) {
            committed(step, reply);
        } else if (reply.code() == Code.BADVERSION || reply.code() == Code.NODEEXISTS) {
            Evaluating.begin(step, this);
        } else if (reply.noNode()) {
            // Our node, the record or the heartbeat is missing: another look, and another heartbeat, tell them apart.
            step.emit(new Command.SendHeartbeat());
            step.state = Evaluating.of(ownNode, requestId);
            step.pauseBriefly(requestId);
        } else {
            step.retryLater(Evaluating.of(ownNode, requestId), to, reply);
        }
    }

    /**
     * The record names us. R36: this does not count if the rewritten heartbeat is not the node that this connection
     * created; the next heartbeat detects that as well.
     */
    void committed(Step step, Reply reply) {
        long token = claim.token() == 0 ? reply.stat().getMzxid() : claim.token();
        var holding = new Holding(claim.version() + 1, token, lease, "", false);
        if (reply.stat().getCzxid() == step.view.heartbeatCzxid()) {
            Named.claimed(step, ownNode.prove(sent), queue, holding);
        } else {
            Named.begin(step, ownNode.arm(false), queue, holding);
        }
    }
}
