package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** One transaction deletes the own node and names the heir in the record, if there is one. */
public record HandingOver(Departure departure, long requestId, boolean hasHeir) implements Leaving {

    /** The heir comes first: the requests of the others would only delay it. */
    static final long HEAD_START = 5_000_000L;

    /**
     * Who is to lead next.
     *
     * @param heir the candidate that the record is to name; null if there is none
     * @param next the heir's own heir, so that the new holder is observed from the start; empty if there is none
     * @param along further parts of the transaction, such as the touch that wakes {@code next}
     */
    public record Plan(@Nullable String heir, String next, List<Request> along) {}

    /** R17: the transaction compares the record's version. R25: the heir's token is greater than ours. */
    static void begin(Step step, Departure leaving, CandidateNode ownNode, Holding holding, Plan plan) {
        long requestId = step.nextRequestId();
        String heir = plan.heir;
        Departure departure = leaving.movesTo(heir) ? leaving : leaving.withoutMove();
        step.state = new HandingOver(departure, requestId, heir != null);
        LeaderRecord record = LeaderRecord.released(holding.token(), step.view.lease());
        List<Request> parts = new ArrayList<>(4);
        parts.add(new Request.Delete(ownNode.path(), -1));
        if (heir != null) {
            record = LeaderRecord.held(heir, plan.next, holding.token() + 1, step.view.lease())
                    .requested(departure.isRequested());
            parts.add(new Request.Check(step.config.node(heir)));
            parts.addAll(plan.along);
        }
        parts.add(new Request.Set(step.config.record(), record.toJson(), holding.version()));
        step.send(Purpose.HAND_OVER, requestId, new Request.Multi(parts));
    }

    @Override
    public HandingOver with(Departure departure) {
        return new HandingOver(departure, requestId, hasHeir);
    }

    @Override
    public void replied(Step step, Command.Send to, Reply reply) {
        if (reply.ok()) {
            departure.reportMove(step);
            if (departure.then() != AfterLeaving.REJOIN || !hasHeir) {
                Retiring.finish(step, departure, true);
                return;
            }
            step.emit(new Command.Left(true));
            long wake = step.nextRequestId();
            step.state = new Pending(wake, false);
            step.emit(new Command.WakeAt(wake, step.view.now().nanos() + HEAD_START));
        } else if (reply.code() == Code.NOAUTH) {
            // The record cannot be written: better no heir than a node that blocks the queue.
            Deleting.begin(step, departure);
        } else if (!reply.ambiguous()) {
            Inspecting.again(step, departure, to, reply);
        }
    }
}
