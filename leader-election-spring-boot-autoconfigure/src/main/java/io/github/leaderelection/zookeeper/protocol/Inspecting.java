package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Leaving, and reading what is left to do, because a reply was lost or what was known is out of date. */
public record Inspecting(
        Departure departure, long requestId, @Nullable CandidateQueue queue) implements Leaving {

    static void begin(Step step, Departure departure) {
        long requestId = step.nextRequestId();
        step.state = new Inspecting(departure, requestId, null);
        step.barrier(requestId);
        step.readQueueAndRecord(requestId);
    }

    /** Leaves while a create is under way: only a list after it shows whether there is a node. */
    static void lookFor(Step step, Candidacy candidacy, AfterLeaving then) {
        Departure departure = new Departure(candidacy, null, then, step.drain(), null);
        if (step.view.connected()) {
            begin(step, departure);
        } else {
            step.state = new Parked(departure, NO_REQUEST);
        }
    }

    /** Looks again at once if what was known is out of date, and after a pause if ZooKeeper refuses. */
    static void again(Step step, Departure departure, Command.Send to, Reply reply) {
        switch (reply.code()) {
            case NONODE, BADVERSION, NOTEMPTY, RUNTIMEINCONSISTENCY -> begin(step, departure);
            default -> {
                step.fail(reply.failure("leave election " + step.config.path() + ", " + to.purpose() + " was refused"));
                long requestId = step.nextRequestId();
                step.state = new Parked(departure, requestId);
                step.pause(requestId);
            }
        }
    }

    @Override
    public Inspecting with(Departure departure) {
        return new Inspecting(departure, requestId, queue);
    }

    @Override
    public void replied(Step step, Command.Send to, Reply reply) {
        if (reply.ambiguous()) {
            return;
        }
        if (to.purpose() == Purpose.LIST) {
            listed(step, to, reply);
        } else if (to.purpose() == Purpose.RECORD && queue != null) {
            recordRead(step, queue, reply);
        } else if (to.purpose() == Purpose.OWN_NODE && reply.ok()) {
            long session = departure.candidacy().session();
            CandidateNode found = CandidateNode.of(to.request().path(), session, reply.stat(), false);
            begin(step, Departure.of(found, departure.then(), departure.term(), departure.move()));
        } else if (to.purpose() == Purpose.OWN_NODE
                || to.purpose() == Purpose.DELETE && !reply.ok() && !reply.noNode()) {
            again(step, departure, to, reply);
        }
    }

    private void listed(Step step, Command.Send to, Reply reply) {
        if (reply.noNode()) {
            // If we took part on this very session, the election has ended.
            Retiring.finish(step, departure.ownNode() != null ? departure.ended(step) : departure, true);
        } else if (reply.ok()) {
            step.state = new Inspecting(departure, requestId, step.queueIn(to, reply));
        } else if (reply.code() == Code.MARSHALLINGERROR && departure.ownNode() != null) {
            // A queue that is too long to be read: better no heir than a node that blocks it.
            Deleting.begin(step, departure);
        } else {
            again(step, departure, to, reply);
        }
    }

    private void recordRead(Step step, CandidateQueue queue, Reply reply) {
        CandidateNode ownNode = departure.ownNode();
        List<String> ours = queue.withGuid(departure.candidacy().guid());
        LeaderRecord held = LeaderRecord.parse(reply.data()).orElse(null);
        String named = held == null ? null : named(ours, held);
        if (named != null && ownNode == null) {
            // Named before its node was known; only a known node can be handed over.
            step.read(Purpose.OWN_NODE, requestId, named);
        } else if (held != null && named != null && ownNode != null && named.equals(ownNode.name())) {
            step.deleteTwins(departure.candidacy(), queue, named);
            Holding holding = Holding.of(held, reply.stat());
            Succession succession = Succession.UNKNOWN.listed(queue, named, held.heir(), Heirs.NONE);
            HandingOver.begin(step, departure, ownNode, holding, succession.plan(holding));
        } else if (!ours.isEmpty()) {
            deleteAll(step, ours);
        } else {
            Releasing.begin(step, departure, reply);
        }
    }

    private static @Nullable String named(List<String> ours, LeaderRecord record) {
        for (String node : ours) {
            if (record.heldBy(node)) {
                return node;
            }
        }
        return null;
    }

    private void deleteAll(Step step, List<String> nodes) {
        long next = step.nextRequestId();
        step.state = new Inspecting(departure, next, queue);
        for (String node : nodes) {
            step.send(Purpose.DELETE, next, new Request.Delete(step.config.node(node), -1));
        }
        step.readQueueAndRecord(next);
    }
}
