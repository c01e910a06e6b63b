package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.State.Claiming;
import io.github.leaderelection.zookeeper.protocol.State.Detached;
import io.github.leaderelection.zookeeper.protocol.State.Leading;
import io.github.leaderelection.zookeeper.protocol.State.Leaving;
import io.github.leaderelection.zookeeper.protocol.State.Named;
import io.github.leaderelection.zookeeper.protocol.State.NodeLost;
import io.github.leaderelection.zookeeper.protocol.State.Queued;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Successor;
import java.util.Optional;

/** The rules of leading: how a lease is earned, renewed and lost, and what the loss of one's node means. */
public final class Reign {

    private Reign() {}

    /**
     * The record holds our node's name. Leads at once if a recent beat has proven the node, else after the next. A claim
     * that has just come into force is such a beat, and it has checked the node by itself: it needs no watch for that.
     */
    static void named(Step step, Queued queued, CandidateQueue queue, int version, long granted) {
        long lease = Math.min(granted, step.view.lease());
        Named named = new Named(queued.ownNode(), queue, version, granted);
        boolean proven = queued.ownNode().armed() || queued instanceof Claiming;
        if (proven && queued.ownNode().holds(lease / 2, step.view.now())) {
            lead(step, named);
        } else {
            step.state = named;
            step.arm(queued.ownNode());
            step.emit(new Command.Heartbeat());
        }
    }

    private static void lead(Step step, Named named) {
        long lease = Math.min(named.granted(), step.view.lease());
        long requestId = step.nextRequestId();
        Successor successor = named.queue().successor(named.ownNode().name());
        Leading leading = new Leading(
                named.ownNode(),
                requestId,
                successor,
                named.version(),
                named.granted(),
                lease,
                step.grant(),
                step.view.now().millis());
        step.state = leading;
        step.allIsWell();
        if (lacksWatches(step, leading)) {
            step.emit(new Command.WakeWhenIdle(requestId));
        }
        if (!named.ownNode().holds(lease / 2, step.view.now())) {
            step.emit(new Command.Heartbeat());
        }
    }

    /** A beat was committed. It counts only where the watch on our own node would have told of its deletion before. */
    static void acknowledged(Step step, Moment sent) {
        if (step.state instanceof Leading leading) {
            if (!leading.isValid(step.view.now())) {
                lapse(step, leading);
            } else if (leading.ownNode().armed()) {
                // A lease that shrinks takes effect with a beat that leaves time for the next one, not before.
                long lease = Math.min(leading.granted(), step.view.lease());
                Leading renewed = leading.renewed(sent, lease);
                boolean abrupt = lease < leading.lease() && !renewed.ownNode().holds(lease / 2, step.view.now());
                step.state = abrupt ? leading : renewed;
            }
        } else if (step.state instanceof Named named && named.ownNode().armed()) {
            CandidateNode ownNode = named.ownNode().prove(sent);
            step.state = named.with(ownNode);
            if (ownNode.holds(Math.min(named.granted(), step.view.lease()), step.view.now())) {
                lead(step, named.with(ownNode));
            } else {
                step.emit(new Command.Heartbeat());
            }
        } else if (step.state instanceof Queued queued && queued.ownNode().armed()) {
            // Not needed yet; but whoever is named before long need not ask for another one.
            step.state = queued.with(queued.ownNode().prove(sent));
        }
    }

    /** The answer to setting the watch on our own node. */
    static void armed(Step step, Queued queued, Reply reply) {
        if (reply.ok() && reply.stat().getEphemeralOwner() == queued.ownNode().session()) {
            if (!step.view.connected()) {
                // Set on a connection that was lost since.
                return;
            }
            step.state = queued.with(queued.ownNode().arm(true));
            if (step.state instanceof Named) {
                // The last beat may have come before it could count.
                step.emit(new Command.Heartbeat());
            } else if (step.state instanceof Leading leading) {
                armed(step, leading);
            }
        } else if (reply.ok() || reply.noNode()) {
            lostSeat(step, queued);
        } else if (!reply.ambiguous()) {
            step.fail(new ElectionException("Cannot watch our own node %s: %s"
                    .formatted(queued.ownNode().path(), ErrorTexts.code(reply.code()))));
        }
    }

    private static void armed(Step step, Leading leading) {
        if (!leading.ownNode().holds(leading.lease() * 2 / 3, step.view.now())) {
            // There may be no time to wait for the next one.
            step.emit(new Command.Heartbeat());
        }
        if (lacksWatches(step, leading)) {
            step.emit(new Command.WakeWhenIdle(leading.requestId()));
        }
    }

    /** The lease is over. The node stays; if it is still there when ZooKeeper answers again, a new term may begin. */
    static void lapse(Step step, Leading leading) {
        step.revoke(leading, RevocationReason.CONNECTION_LOST);
        Campaign.evaluateInTurn(step, new Detached(leading.ownNode(), 0, null));
    }

    /** Sets a watch that a leader still lacks, now that there is time for it; the queue tells who comes next. */
    static void lookAround(Step step, Leading leading) {
        if (!leading.ownNode().armed()) {
            step.arm(leading.ownNode());
        } else if (lacksWatches(step, leading)) {
            step.list(leading.requestId(), true);
        }
    }

    private static boolean lacksWatches(Step step, Leading leading) {
        return !leading.ownNode().armed()
                || !step.queueWatched
                || !leading.successor().isKnown();
    }

    static void candidatesChanged(Step step) {
        step.queueWatched = false;
        if (step.state instanceof Leading leading) {
            step.list(leading.requestId(), true);
        }
    }

    /**
     * Within its lease: goes on. Where the watches were kept, one beat proves the nodes of all elections at once. They are
     * set again all the same, when there is time: a server that is overburdened may not have done it, and nobody is told.
     */
    static void reconnected(Step step, Leading leading) {
        if (leading.ownNode().armed()) {
            step.emit(new Command.Heartbeat());
            step.armAgain(leading.ownNode());
            if (lacksWatches(step, leading)) {
                step.emit(new Command.WakeWhenIdle(leading.requestId()));
            }
        } else {
            step.arm(leading.ownNode());
            step.emit(new Command.Heartbeat());
        }
        step.glance(leading.requestId());
    }

    /** Looks whether all is as it is known to be; the watches are set again only if one has failed to tell. */
    static void verify(Step step, Leading leading) {
        if (lacksWatches(step, leading)) {
            check(step, leading);
        } else {
            step.glance(leading.requestId());
        }
    }

    /** Sets all watches of a leader, again if need be, and reads what they would tell. */
    static void check(Step step, Leading leading) {
        step.state = leading.with(leading.ownNode().arm(false));
        step.arm(leading.ownNode().arm(false));
        step.list(leading.requestId(), true);
        step.readRecord(leading.requestId());
    }

    static void leading(Step step, Leading leading, Command.Send to, Reply reply) {
        if (to.purpose() == Purpose.LIST) {
            CandidateQueue queue = step.listed(to, reply);
            if (reply.noNode()
                    || reply.ok() && !queue.contains(leading.ownNode().name())) {
                lostSeat(step, leading);
            } else if (reply.ok()) {
                successor(step, leading, queue, to.request() instanceof Request.Names);
            }
        } else if (to.purpose() == Purpose.RECORD && reply.ok()) {
            Optional<LeaderRecord> record = LeaderRecord.parse(reply.data());
            boolean ours =
                    record.isPresent() && record.get().heldBy(leading.ownNode().name());
            boolean ending = record.isPresent() && record.get().state() == LeaderRecord.State.ENDED;
            if (ending) {
                // Whoever marked the end may have died before it could delete our node.
                step.formerNode = leading.ownNode().name();
                ended(step, leading.ownNode(), leading.term());
            } else if (!ours) {
                // Somebody overwrote the record, and with it what makes a successor wait for our lease.
                step.revoke(leading, RevocationReason.NODE_LOST);
                Campaign.evaluate(step, leading);
            }
        }
    }

    private static void successor(Step step, Leading leading, CandidateQueue queue, boolean glanced) {
        Leading informed = leading.with(queue.successor(leading.ownNode().name()));
        step.state = informed;
        step.deleteTwins(leading.ownNode().candidacy(), queue, leading.ownNode().name());
        if (glanced && step.queueWatched && !informed.successor().equals(leading.successor())) {
            check(step, informed);
        }
    }

    /** Our node is gone, and with it whatever it led to; why, the record tells. */
    static void lostSeat(Step step, Queued queued) {
        long term = queued instanceof Leading leading ? leading.term() : 0;
        if (term > 0) {
            step.formerNode = queued.ownNode().name();
        }
        askWhy(step, queued.ownNode(), term);
    }

    static void askWhy(Step step, CandidateNode ownNode, long term) {
        if (!step.view.connected()) {
            // Nobody answers before the connection is back, and the end of the term is not to wait for that.
            tellLoss(step, new NodeLost(ownNode, 0, term));
            step.state = new NodeLost(ownNode, 0, 0);
            return;
        }
        long requestId = step.nextRequestId();
        step.state = new NodeLost(ownNode, requestId, term);
        step.send(Purpose.STAT, requestId, new Request.Exists(step.config.path()));
        step.readRecord(requestId);
    }

    static void nodeLost(Step step, NodeLost nodeLost, Command.Send to, Reply reply) {
        long czxid = nodeLost.ownNode().czxid();
        if (to.purpose() == Purpose.STAT && (reply.noNode() || reply.stat().getCzxid() > czxid)) {
            ended(step, nodeLost.ownNode(), nodeLost.term());
        } else if (to.purpose() == Purpose.RECORD && !reply.ambiguous()) {
            Optional<LeaderRecord> record = reply.content().flatMap(LeaderRecord::parse);
            boolean ended = record.isPresent() && record.get().state() == LeaderRecord.State.ENDED;
            if (ended && reply.stat().getMzxid() > czxid) {
                ended(step, nodeLost.ownNode(), nodeLost.term());
            } else {
                tellLoss(step, nodeLost);
                Entry.joinWhenConnected(step);
            }
        }
    }

    static void tellLoss(Step step, NodeLost nodeLost) {
        if (nodeLost.term() > 0) {
            step.emit(new Command.Revoked(nodeLost.term(), RevocationReason.NODE_LOST));
        }
    }

    /** The election was deleted. Its last leader drains, so that it can acknowledge that nobody leads any more. */
    static void ended(Step step, CandidateNode ownNode, long term) {
        if (term > 0) {
            step.emit(new Command.Revoked(term, RevocationReason.ENDED));
            step.state = new Leaving(ownNode, Leaving.Phase.DRAINING, AfterLeaving.END, term);
            step.emit(new Command.Ended());
            step.emit(new Command.Drain(term));
        } else {
            step.emit(new Command.Ended());
            Retirement.begin(step, AfterLeaving.END, true);
        }
    }
}
