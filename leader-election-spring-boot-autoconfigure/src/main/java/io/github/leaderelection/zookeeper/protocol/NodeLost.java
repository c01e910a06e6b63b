package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;

/**
 * The own node is gone: was it deleted by itself, or has the election ended?
 *
 * @param term the term that ended with it, until its end is announced; 0 if there is none
 */
public record NodeLost(CandidateNode ownNode, long requestId, long term) implements State {

    static void begin(Step step, Queued queued) {
        long term = 0;
        if (queued instanceof Leading leading && !leading.isValid(step.view.now())) {
            // The lease was over before: an heir that took over has deleted the node for that reason.
            leading.revokeLapsed(step);
        } else if (queued instanceof Leading leading) {
            term = leading.term();
            step.formerNode = leading.ownNode().name();
        }
        new NodeLost(queued.ownNode(), NO_REQUEST, term).recheck(step);
    }

    /** Asks why. */
    @Override
    public void recheck(Step step) {
        if (!step.view.connected()) {
            // There is no answer before the connection is back, and the end of the term must not wait for that.
            disconnected(step, false);
            return;
        }
        long request = step.nextRequestId();
        step.state = new NodeLost(ownNode, request, term);
        step.send(Purpose.STAT, request, new Request.Exists(step.config.path()));
        step.readRecord(request);
    }

    private static void revoke(Step step, long term, RevocationReason reason) {
        if (term > 0) {
            step.emit(new Command.Revoked(term, reason, step.view.now().millis()));
        }
    }

    /** The election has ended if its node is gone or younger than ours was, or if an ENDED record is younger. */
    @Override
    public void replied(Step step, Command.Send to, Reply reply) {
        long czxid = ownNode.czxid();
        if (to.purpose() == Purpose.STAT && (reply.noNode() || reply.stat().getCzxid() > czxid)) {
            ended(step, ownNode, term);
        } else if (to.purpose() == Purpose.RECORD && !reply.ambiguous()) {
            LeaderRecord record = LeaderRecord.parse(reply.data()).orElse(null);
            boolean ended = record != null && record.state() == LeaderRecord.State.ENDED;
            if (ended && reply.stat().getMzxid() > czxid) {
                ended(step, ownNode, term);
            } else {
                revoke(step, term, RevocationReason.NODE_LOST);
                Joining.begin(step);
            }
        }
    }

    /** The election was deleted. Its last leader drains, so that it can acknowledge that it leads no more. */
    static void ended(Step step, CandidateNode ownNode, long term) {
        if (term > 0) {
            revoke(step, term, RevocationReason.ENDED);
            step.state = new Draining(Leaving.Departure.of(ownNode, AfterLeaving.END, term, null), null);
            step.emit(new Command.Ended());
            step.emit(new Command.Drain(term));
        } else {
            step.emit(new Command.Ended());
            Retiring.begin(step, AfterLeaving.END, true);
        }
    }

    @Override
    public void leave(Step step, RevocationReason reason, AfterLeaving then) {
        revoke(step, term, reason);
        Retiring.begin(step, then, true);
    }

    /** A server that ends a session deletes its nodes, and then closes the connection before it answers. */
    @Override
    public void disconnected(Step step, boolean watchesKept) {
        revoke(step, term, RevocationReason.SESSION_EXPIRED);
        step.state = new NodeLost(ownNode, NO_REQUEST, 0);
    }

    @Override
    public void expired(Step step) {
        revoke(step, term, RevocationReason.SESSION_EXPIRED);
        Pending.afterExpiry(step);
    }
}
