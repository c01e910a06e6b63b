package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Creating the candidate's node, and reading the queue and the record in the same round trip.
 *
 * @param creating which missing nodes are created along with it
 * @param obstacle why one of those could not be created
 */
public record Joining(
        Candidacy candidacy,
        long requestId,
        Parents creating,
        @Nullable String obstacle) implements Entering {

    /** Which nodes above the candidate's own are created first. */
    public enum Parents {
        NONE,
        /** The election's node; its parent usually exists. */
        ELECTION,
        ALL
    }

    /** Joins with a new candidacy, once there is a connection with room for it and listeners have returned (R40). */
    static void begin(Step step) {
        if (!step.view.connected() || !step.allHeard()) {
            step.state = new Pending(NO_REQUEST, Pending.leftNodeBehind(step.state));
        } else if (!step.view.hasRoom()) {
            step.state = new Pending(step.wakeWhenThereIsRoom(), Pending.leftNodeBehind(step.state));
        } else {
            String guid = NodeName.guid(step.view.guids().get(), step.config.priority());
            create(step, new Candidacy(guid, step.view.session()), Parents.NONE);
        }
    }

    /** Creates a node for that candidacy, and reads at once where it stands. */
    static void create(Step step, Candidacy candidacy, Parents parents) {
        String election = step.config.path();
        long requestId = step.nextRequestId();
        step.state = new Joining(candidacy, requestId, parents, null);
        for (String path : missing(election, parents)) {
            step.send(Purpose.PARENT, requestId, new Request.Create(path, Request.NO_DATA, CreateMode.PERSISTENT));
        }
        ElectionState.Config own = step.config;
        byte[] data = new CandidateData(own.id(), own.application(), own.metadata(), step.view.heartbeat()).toJson();
        String prefix = step.config.node(NodeName.prefix(candidacy.guid()));
        step.send(Purpose.CREATE, requestId, new Request.Create(prefix, data, CreateMode.EPHEMERAL_SEQUENTIAL));
        if (parents == Parents.NONE) {
            step.readQueueAndRecord(requestId);
        } else {
            // A new election has no record. The Stats of its node and its parent show whether there was an earlier one.
            step.readQueueAndRecord(requestId, election, Paths.parent(election));
        }
    }

    private static List<String> missing(String path, Parents parents) {
        return switch (parents) {
            case NONE -> List.of();
            case ELECTION -> List.of(path);
            case ALL -> Paths.fromTop(path);
        };
    }

    @Override
    public void replied(Step step, Command.Send to, Reply reply) {
        if (to.purpose() == Purpose.PARENT && !reply.ok() && reply.code() != Code.NODEEXISTS) {
            String why = to.request().path() + ": " + ErrorTexts.of(reply.code());
            step.state = new Joining(candidacy, requestId, creating, why);
        } else if (to.purpose() == Purpose.CREATE) {
            created(step, reply);
        }
    }

    private void created(Step step, Reply reply) {
        if (reply.ok()) {
            CandidateNode node = CandidateNode.of(reply.path(), candidacy.session(), reply.stat(), false);
            step.state = Evaluating.of(node, requestId);
        } else if (reply.ambiguous()) {
            step.state = new Recovering(candidacy, NO_REQUEST, null);
        } else if (reply.noNode() && step.config.createPaths() && creating != Parents.ALL) {
            create(step, candidacy, creating == Parents.NONE ? Parents.ELECTION : Parents.ALL);
        } else {
            Pending.retryLater(step, refusal(step, reply));
        }
    }

    private ElectionException refusal(Step step, Reply reply) {
        String path = step.config.path();
        if (!reply.noNode()) {
            return reply.failure("create a candidate's node under " + path);
        }
        if (!step.config.createPaths()) {
            return new ElectionNotFoundException(
                    "Election node " + path + " does not exist, and creating it is disabled (create-paths)");
        }
        return new ElectionException("Cannot create election node " + path + " ("
                + (obstacle != null ? obstacle : "another client keeps deleting it") + ")");
    }
}
