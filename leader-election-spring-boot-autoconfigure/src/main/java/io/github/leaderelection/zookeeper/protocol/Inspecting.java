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
        switch (to.purpose()) {
            case LIST -> listed(step, to, reply);
            case RECORD -> {
                if (queue != null) {
                    recordRead(step, queue, reply);
                }
            }
            case OWN_NODE -> {
                if (reply.ok()) {
                    long session = departure.candidacy().session();
                    begin(step, departure.with(CandidateNode.of(to.request().path(), session, reply.stat(), false)));
                } else {
                    again(step, departure, to, reply);
                }
            }
            case DELETE -> {
                if (!reply.ok() && !reply.noNode()) {
                    again(step, departure, to, reply);
                }
            }
            default -> {}
        }
    }

    private void listed(Step step, Command.Send to, Reply reply) {
        CandidateNode ownNode = departure.ownNode();
        if (reply.noNode()) {
            electionGone(step);
        } else if (reply.ok()) {
            step.state = new Inspecting(departure, requestId, step.queueIn(to, reply));
        } else if (reply.code() == Code.MARSHALLINGERROR && ownNode != null) {
            // A queue that is too long to be read: better no heir than a node that blocks it.
            Deleting.begin(step, departure, ownNode);
        } else {
            again(step, departure, to, reply);
        }
    }

    /** We took part on this very session, so the election has ended. */
    private void electionGone(Step step) {
        boolean tookPart = departure.ownNode() != null && departure.then() != AfterLeaving.CLEAR;
        if (tookPart && departure.then() != AfterLeaving.END) {
            step.emit(new Command.Ended());
        }
        Retiring.finish(step, tookPart ? departure.then(AfterLeaving.END) : departure, true);
    }

    private void recordRead(Step step, CandidateQueue queue, Reply reply) {
        CandidateNode ownNode = departure.ownNode();
        List<String> ours = queue.withGuid(departure.candidacy().guid());
        LeaderRecord held = LeaderRecord.parse(reply.data()).orElse(null);
        String named = held == null ? null : named(ours, held);
        if (named != null && ownNode == null) {
            // Named before its node was known; only a known node can be handed over.
            step.send(Purpose.OWN_NODE, requestId, new Request.Get(step.config.node(named), false));
        } else if (held != null && named != null && ownNode != null && named.equals(ownNode.name())) {
            step.deleteTwins(departure.candidacy(), queue, named);
            Holding holding = Holding.of(held, reply.stat());
            Succession succession = Succession.UNKNOWN.listed(queue, named, held.heir(), Heirs.NONE);
            HandingOver.begin(step, departure, ownNode, succession, holding);
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
