package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;

/** One transaction deletes the own node and names the heir in the record, if there is one. */
public record HandingOver(Departure departure, long requestId, boolean hasHeir) implements Leaving {

    /** The heir comes first: the requests of the others would only delay it. */
    static final long HEAD_START = 5_000_000L;

    /**
     * R17: the transaction compares the record's version. R25: the heir's token is greater than ours. The transaction
     * also names and wakes the heir's own heir, so that the new holder is observed from the start.
     */
    static void begin(Step step, Departure leaving, CandidateNode ownNode, Succession succession, Holding holding) {
        long requestId = step.nextRequestId();
        String heir = succession.successor(holding);
        Departure departure = leaving.movesTo(heir) ? leaving : leaving.with((Move) null);
        step.state = new HandingOver(departure, requestId, heir != null);
        List<Request> parts = new ArrayList<>(4);
        parts.add(new Request.Delete(ownNode.path(), -1));
        String next = "";
        if (heir != null) {
            parts.add(new Request.Check(step.config.node(heir)));
            // Where the heir could not be appointed, ZooKeeper does not let us write to other candidates' nodes.
            boolean appointed = heir.equals(succession.heir()) && heir.equals(holding.heir());
            if (appointed && !succession.along().isEmpty()) {
                next = succession.next() == null ? "" : succession.next();
                parts.addAll(succession.along());
            }
        }
        LeaderRecord record = heir != null
                ? LeaderRecord.held(heir, next, holding.token() + 1, step.view.lease())
                        .requested(departure.isRequested())
                : LeaderRecord.released(holding.token(), step.view.lease());
        parts.add(new Request.Set(step.config.record(), record.toJson(), holding.version()));
        step.send(Purpose.HAND_OVER, requestId, new Request.Multi(parts));
    }

    @Override
    public HandingOver with(Departure departure) {
        return new HandingOver(departure, requestId, hasHeir);
    }

    @Override
    public void replied(Step step, Command.Send to, Reply reply) {
        CandidateNode ownNode = departure.ownNode();
        if (reply.ok()) {
            handedOver(step);
        } else if (reply.code() == Code.NOAUTH && ownNode != null) {
            // The record cannot be written: better no heir than a node that blocks the queue.
            Deleting.begin(step, departure, ownNode);
        } else if (!reply.ambiguous()) {
            Inspecting.again(step, departure, to, reply);
        }
    }

    private void handedOver(Step step) {
        departure.reportMove(step);
        if (departure.then() == AfterLeaving.REJOIN && hasHeir) {
            step.emit(new Command.Left(true));
            long wake = step.nextRequestId();
            step.state = new Pending(wake, false);
            step.emit(new Command.WakeAt(wake, step.view.now().nanos() + HEAD_START));
        } else {
            Retiring.finish(step, departure, true);
        }
    }
}
