package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reply to the create was lost: looks for a node with our GUID.
 *
 * @param found the node that was found, until its owner is verified
 */
public record Recovering(
        Candidacy candidacy, long requestId, @Nullable String found) implements Entering {

    /**
     * R21: the list comes after a write by quorum, so that a late create is either in it or will never happen. R26:
     * only a candidacy without a node looks for a node; a candidacy that has led never adopts another.
     */
    static void begin(Step step, Candidacy candidacy) {
        long requestId = step.nextRequestId();
        step.state = new Recovering(candidacy, requestId, null);
        step.barrier(requestId);
        step.list(requestId, false);
    }

    @Override
    public void replied(Step step, Command.Send to, Reply reply) {
        if (to.purpose() == Purpose.LIST) {
            if (reply.ok() || reply.noNode()) {
                listed(step, step.queueIn(to, reply));
            } else {
                step.retryLater(this, to, reply);
            }
        } else if (to.purpose() == Purpose.OWN_NODE && found != null) {
            adopt(step, to, reply);
        }
    }

    /** None of ours: create again under the same GUID. Several: the lowest counts, the others are deleted. */
    private void listed(Step step, CandidateQueue queue) {
        List<String> ours = queue.withGuid(candidacy.guid());
        if (ours.isEmpty()) {
            Joining.create(step, candidacy, Joining.Parents.NONE);
        } else {
            String node = ours.get(0);
            step.deleteTwins(candidacy, queue, node);
            step.state = new Recovering(candidacy, requestId, node);
            step.send(Purpose.OWN_NODE, requestId, new Request.Get(step.config.node(node), true));
        }
    }

    private void adopt(Step step, Command.Send to, Reply reply) {
        if (reply.ok() && reply.stat().getEphemeralOwner() == candidacy.session()) {
            CandidateNode node = CandidateNode.of(to.request().path(), candidacy.session(), reply.stat(), true);
            Evaluating.begin(step, Evaluating.of(node, NO_REQUEST));
        } else if (reply.ok() || reply.noNode()) {
            Joining.begin(step);
        } else {
            step.retryLater(this, to, reply);
        }
    }

    @Override
    public void recheck(Step step) {
        begin(step, candidacy);
    }
}
