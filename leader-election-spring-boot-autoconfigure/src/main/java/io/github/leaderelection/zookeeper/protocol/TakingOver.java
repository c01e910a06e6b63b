package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The heir of a holder that has fallen silent: its lease must be over, although its session is not, and one transaction
 * replaces it. The watch on the holder's node fires before the reply to that transaction, and is ignored in this state.
 */
public record TakingOver(
        CandidateNode ownNode, long requestId, Predecessor holder, Claim claim, Moment sent, long lease)
        implements Queued {

    /**
     * R30: if the holder's heartbeat still has the sighted version, its last renewal was sent before the sighting. R31:
     * the same transaction deletes the holder's node, so its watch fires before any later acknowledgement. R32: the
     * record is the one that made us the heir. R33: our heartbeat is rewritten, so that our heir sees it.
     */
    static void begin(Step step, Following following, Claim claim, Sighting sighting) {
        Predecessor holder = following.predecessor();
        CandidateNode ownNode = following.ownNode();
        long requestId = step.nextRequestId();
        long lease = step.view.lease();
        step.state = new TakingOver(ownNode, requestId, holder, claim, step.view.now(), lease);
        byte[] held = LeaderRecord.held(ownNode.name(), claim.token(), lease).toJson();
        List<Request> parts = List.of(
                new Request.Check(holder.heartbeat(), sighting.version()),
                new Request.Delete(holder.path(), -1),
                new Request.Check(ownNode.path()),
                new Request.Set(step.config.record(), held, claim.version()),
                step.heartbeat());
        step.send(Purpose.TAKE_OVER, requestId, new Request.Multi(parts));
    }

    @Override
    public TakingOver with(CandidateNode ownNode) {
        return new TakingOver(ownNode, requestId, holder, claim, sent, lease);
    }

    /** The latest time at which the holder can have been sighted, by the wall clock. */
    public long lastSeen() {
        return sent.millis() - LeaderRecord.waitNanos(claim.lease()) / 1_000_000;
    }

    @Override
    public Predecessor observed() {
        return holder;
    }

    /** R1: the lease runs from the moment at which the transaction was sent. */
    @Override
    public void answered(Step step, Command.Send to, Reply reply) {
        if (to.purpose() != Purpose.TAKE_OVER || reply.ambiguous()) {
            return;
        }
        if (reply.ok()) {
            step.emit(new Command.TookOver());
            new Claiming(ownNode, requestId, CandidateQueue.NONE, claim, sent, lease).committed(step, reply);
        } else if (reply.code() == Code.NOAUTH) {
            step.fail(reply.failure(
                    "take over from " + holder.path() + ", which has fallen silent, before its session ends"));
            new Following(ownNode, NO_REQUEST, holder.inviolable(), null, claim).watch(step);
        } else {
            // The holder has sent a heartbeat, or it or the record has changed: a retry needs a new sighting.
            step.emit(new Command.SightAgain(holder.heartbeat()));
            Predecessor attempted = holder.attempted(step.view.now().nanos());
            Evaluating.verify(step, new Following(ownNode, requestId, attempted, null, claim));
        }
    }
}
