package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;

/** The own node is being deleted, without naming an heir. */
public record Deleting(Departure departure, long requestId) implements Leaving {

    /** Then the record is read: we may have been named, or have claimed, just before. */
    static void begin(Step step, Departure departure) {
        CandidateNode ownNode = departure.ownNode();
        if (ownNode == null || !step.view.connected()) {
            step.state = new Parked(departure, NO_REQUEST);
            return;
        }
        long requestId = step.nextRequestId();
        step.state = new Deleting(departure, requestId);
        step.send(Purpose.DELETE, requestId, new Request.Delete(ownNode.path(), -1));
        step.readRecord(requestId);
    }

    @Override
    public Deleting with(Departure departure) {
        return new Deleting(departure, requestId);
    }

    @Override
    public void replied(Step step, Command.Send to, Reply reply) {
        if (reply.ambiguous()) {
            return;
        }
        if (to.purpose() == Purpose.DELETE && !reply.ok() && !reply.noNode()) {
            Inspecting.again(step, departure, to, reply);
        } else if (to.purpose() == Purpose.RECORD) {
            Releasing.begin(step, departure, reply);
        }
    }
}
