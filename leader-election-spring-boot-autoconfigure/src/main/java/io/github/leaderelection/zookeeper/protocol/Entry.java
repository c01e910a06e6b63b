package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.State.Detached;
import io.github.leaderelection.zookeeper.protocol.State.Evaluating;
import io.github.leaderelection.zookeeper.protocol.State.Joining;
import io.github.leaderelection.zookeeper.protocol.State.Joining.Making;
import io.github.leaderelection.zookeeper.protocol.State.Pending;
import io.github.leaderelection.zookeeper.protocol.State.Recovering;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** The rules of getting into the queue, also where the answer to the create is lost. */
public final class Entry {

    private Entry() {}

    static void joinWhenConnected(Step step) {
        if (!step.view.connected()) {
            step.state = new Pending(0, Pending.strays(step.state));
        } else if (!step.view.hasRoom()) {
            step.state = new Pending(step.waitForRoom(), Pending.strays(step.state));
        } else {
            create(step, new Candidacy(step.view.guids().get(), step.view.session()), Making.NOTHING);
        }
    }

    /** Creates the node and looks at once where it stands; all in one go. */
    private static void create(Step step, Candidacy candidacy, Making making) {
        ElectionState.Config config = step.config;
        long requestId = step.nextRequestId();
        step.state = new Joining(candidacy, requestId, making, null);
        for (String path : missing(config.path(), making)) {
            step.send(Purpose.PATH, requestId, new Request.Create(path, Request.NO_DATA, CreateMode.PERSISTENT));
        }
        byte[] data = new CandidateData(config.id(), config.metadata(), step.view.heartbeat()).toJson();
        String prefix = config.node(NodeName.prefix(candidacy.guid()));
        step.send(Purpose.CREATE, requestId, new Request.Create(prefix, data, CreateMode.EPHEMERAL_SEQUENTIAL));
        if (making == Making.NOTHING) {
            step.look(requestId);
        } else {
            // A new election has no record; whether there can have been an earlier one, its node and its parent tell.
            step.look(requestId, config.path(), Paths.parent(config.path()));
        }
    }

    private static List<String> missing(String path, Making making) {
        return switch (making) {
            case NOTHING -> List.of();
            case ELECTION -> List.of(path);
            case ANCESTORS -> Paths.fromTop(path);
        };
    }

    static void joining(Step step, Joining joining, Command.Send to, Reply reply) {
        if (to.purpose() == Purpose.PATH && !reply.ok() && reply.code() != Code.NODEEXISTS) {
            String obstacle = to.request().path() + ": " + ErrorTexts.code(reply.code());
            step.state = new Joining(joining.candidacy(), joining.requestId(), joining.making(), obstacle);
        } else if (to.purpose() == Purpose.CREATE) {
            created(step, joining, reply);
        }
    }

    private static void created(Step step, Joining joining, Reply reply) {
        if (reply.ok()) {
            CandidateNode ownNode =
                    CandidateNode.of(reply.path(), joining.candidacy().session(), reply.stat(), false);
            step.state = Evaluating.of(ownNode, joining.requestId());
        } else if (reply.ambiguous()) {
            step.state = new Recovering(joining.candidacy(), 0, null);
        } else if (reply.noNode() && step.config.createPaths() && joining.making() != Making.ANCESTORS) {
            boolean first = joining.making() == Making.NOTHING;
            create(step, joining.candidacy(), first ? Making.ELECTION : Making.ANCESTORS);
        } else {
            giveUpForNow(step, explain(step.config, joining, reply));
        }
    }

    private static ElectionException explain(ElectionState.Config config, Joining joining, Reply reply) {
        if (!reply.noNode()) {
            return new ElectionException("Cannot create a candidate's node under %s: %s"
                    .formatted(config.path(), ErrorTexts.code(reply.code())));
        }
        if (!config.createPaths()) {
            return new ElectionNotFoundException(
                    "There is no election node %s, and it is not to be created (create-paths)"
                            .formatted(config.path()));
        }
        String obstacle = joining.obstacle() != null ? joining.obstacle() : "somebody deletes it";
        return new ElectionException("Cannot create the election node %s (%s)".formatted(config.path(), obstacle));
    }

    static void giveUpForNow(Step step, ElectionException cause) {
        step.fail(cause);
        long requestId = step.nextRequestId();
        step.state = new Pending(requestId);
        step.pause(requestId);
    }

    /** Looks for a node of ours whose create was not answered. */
    static void recover(Step step, Candidacy candidacy) {
        long requestId = step.nextRequestId();
        step.state = new Recovering(candidacy, requestId, null);
        step.settle(requestId);
        step.list(requestId, false);
    }

    static void recovering(Step step, Recovering recovering, Command.Send to, Reply reply) {
        Candidacy candidacy = recovering.candidacy();
        if (to.purpose() == Purpose.LIST && (reply.ok() || reply.noNode())) {
            CandidateQueue queue = step.listed(to, reply);
            List<String> mine = queue.withGuid(candidacy.guid());
            if (mine.isEmpty()) {
                create(step, candidacy, Making.NOTHING);
            } else {
                String node = mine.get(0);
                step.deleteTwins(candidacy, queue, node);
                step.state = new Recovering(candidacy, recovering.requestId(), node);
                step.send(Purpose.OWN, recovering.requestId(), new Request.Get(step.config.node(node), true));
            }
        } else if (to.purpose() == Purpose.OWN && recovering.found() != null) {
            if (reply.ok() && reply.stat().getEphemeralOwner() == candidacy.session()) {
                CandidateNode ownNode = CandidateNode.of(to.request().path(), candidacy.session(), reply.stat(), true);
                Campaign.evaluate(step, new Detached(ownNode, 0, null));
            } else if (reply.ok() || reply.noNode()) {
                joinWhenConnected(step);
            } else {
                step.tryAgainLater(recovering, recovering.requestId(), to, reply);
            }
        } else if (to.purpose() == Purpose.LIST) {
            step.tryAgainLater(recovering, recovering.requestId(), to, reply);
        }
    }
}
