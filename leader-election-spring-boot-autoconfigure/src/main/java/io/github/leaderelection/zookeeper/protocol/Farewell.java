package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.State.Closed;
import io.github.leaderelection.zookeeper.protocol.State.Draining;
import io.github.leaderelection.zookeeper.protocol.State.Following;
import io.github.leaderelection.zookeeper.protocol.State.Joining;
import io.github.leaderelection.zookeeper.protocol.State.Leading;
import io.github.leaderelection.zookeeper.protocol.State.Leaving;
import io.github.leaderelection.zookeeper.protocol.State.Leaving.Phase;
import io.github.leaderelection.zookeeper.protocol.State.NodeLost;
import io.github.leaderelection.zookeeper.protocol.State.Outgoing;
import io.github.leaderelection.zookeeper.protocol.State.Pending;
import io.github.leaderelection.zookeeper.protocol.State.Queued;
import io.github.leaderelection.zookeeper.protocol.State.Recovering;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Successor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The rules of leaving. Whoever began to leave never leads again on that candidacy, whatever the answers are: a hand-over
 * whose answer was lost may still come into force.
 */
public final class Farewell {

    private static final long AFTER_YOU = 5_000_000L;

    private Farewell() {}

    static void leave(Step step, RevocationReason reason, AfterLeaving then) {
        if (step.state instanceof Leading leading) {
            step.revoke(leading, reason);
            step.state = new Leaving(leading, then);
            step.emit(new Command.Drain(leading.term()));
        } else if (reason == RevocationReason.STEPPED_DOWN || step.state instanceof Closed) {
            return;
        } else if (step.state instanceof Outgoing outgoing) {
            if (!outgoing.then().isFinal()) {
                step.state = outgoing.then(then);
            }
        } else if (step.state instanceof Joining joining) {
            lookFor(step, joining.candidacy(), then);
        } else if (step.state instanceof Recovering recovering) {
            lookFor(step, recovering.candidacy(), then);
        } else if (step.state instanceof Queued queued) {
            delete(step, queued, then);
        } else {
            if (step.state instanceof NodeLost nodeLost && nodeLost.term() > 0) {
                step.emit(new Command.Revoked(nodeLost.term(), reason));
            }
            Retirement.begin(step, then, !Pending.strays(step.state));
        }
    }

    /** Ends this candidacy, which must not lead, and begins another. */
    static void rejoin(Step step, Queued queued) {
        delete(step, queued, AfterLeaving.PAUSE);
    }

    /** The election has ended; our node may outlive a deleter that died, so it goes here. */
    static void end(Step step, Queued queued) {
        step.emit(new Command.Ended());
        delete(step, queued, AfterLeaving.END);
    }

    /** Makes room for clearing away an election that had ended before we came. */
    static void clear(Step step, Queued queued) {
        delete(step, queued, AfterLeaving.CLEAR);
    }

    /** A create is under way: whether there is a node of ours, a look after it tells. */
    private static void lookFor(Step step, Candidacy candidacy, AfterLeaving then) {
        Leaving leaving = new Leaving(candidacy, null, 0, Phase.PARKED, then, null, null, 0, step.drain());
        step.state = leaving;
        if (step.view.connected()) {
            look(step, leaving);
        }
    }

    /** Leaves without leading; but what an earlier term admitted may still be running. */
    private static void delete(Step step, Queued queued, AfterLeaving then) {
        unwatch(step, queued);
        long term = step.drain();
        Leaving leaving = new Leaving(queued.ownNode(), Phase.DRAINING, then, term);
        if (term > 0) {
            step.state = leaving;
        } else {
            delete(step, leaving, queued.ownNode());
        }
    }

    /** Takes off the watches that would not go with our node. */
    private static void unwatch(Step step, Queued queued) {
        String watched = null;
        Following following = queued.followed();
        if (following != null) {
            watched = following.predecessor().path();
        } else if (queued.waited() != null) {
            watched = step.config.record();
        }
        if (watched != null && step.view.connected()) {
            step.send(Purpose.CLEAN_UP, 0, new Request.RemoveWatches(watched, false));
        }
    }

    private static void delete(Step step, Leaving leaving, CandidateNode ownNode) {
        if (!step.view.connected()) {
            step.state = leaving.to(Phase.PARKED, 0);
            return;
        }
        long requestId = step.nextRequestId();
        step.state = leaving.to(Phase.DELETING, requestId);
        step.send(Purpose.DELETE, requestId, new Request.Delete(ownNode.path(), -1));
        // We may have been named, or have claimed, just before.
        step.readRecord(requestId);
    }

    static void drained(Step step, long term) {
        if (step.state instanceof Draining retiring && retiring.term() == term) {
            Retirement.drained(step, retiring);
        } else if (step.state instanceof Leaving leaving && leaving.term() == term) {
            Leaving drained = leaving.drained();
            step.state = drained;
            if (leaving.phase() == Phase.DRAINING && leaving.ownNode() != null) {
                giveUp(step, drained, leaving.ownNode());
            }
        }
    }

    private static void giveUp(Step step, Leaving leaving, CandidateNode ownNode) {
        Successor successor = leaving.successor();
        if (successor == null || !step.view.connected()) {
            delete(step, leaving, ownNode);
        } else if (successor.isKnown()) {
            handOver(step, leaving, ownNode, successor, leaving.version());
        } else {
            // Led for too short a time to know its heir.
            look(step, leaving);
        }
    }

    /** One transaction: our node goes, and the next in line has the record, or nobody. */
    private static void handOver(Step step, Leaving leaving, CandidateNode ownNode, Successor successor, int version) {
        long requestId = step.nextRequestId();
        step.state = leaving.with(successor).to(Phase.HANDING_OVER, requestId);
        String heir = successor.heir();
        long lease = step.view.lease();
        List<Request> parts = new ArrayList<>();
        parts.add(new Request.Delete(ownNode.path(), -1));
        if (heir != null) {
            parts.add(new Request.Check(step.config.node(heir)));
        }
        LeaderRecord record = heir != null
                ? LeaderRecord.held(heir, ownNode.czxid(), lease)
                : LeaderRecord.released(ownNode.czxid(), lease);
        parts.add(new Request.Set(step.config.record(), record.toJson(), version));
        step.send(Purpose.HAND_OVER, requestId, new Request.Multi(parts));
    }

    /** Reads afresh what there is still to do; also where an answer was lost. */
    static void look(Step step, Leaving leaving) {
        long requestId = step.nextRequestId();
        step.state = leaving.to(Phase.LOOKING, requestId);
        step.settle(requestId);
        step.look(requestId);
    }

    static void replied(Step step, Leaving leaving, Command.Send to, Reply reply) {
        if (reply.ambiguous()) {
            return;
        }
        switch (leaving.phase()) {
            case LOOKING -> looked(step, leaving, to, reply);
            case HANDING_OVER -> {
                if (reply.ok()) {
                    handedOver(step, leaving);
                } else if (reply.code() == Code.NOAUTH && leaving.ownNode() != null) {
                    // The record must not be written: better no heir than a node that blocks everyone.
                    delete(step, leaving, leaving.ownNode());
                } else {
                    lookAgain(step, leaving, to, reply);
                }
            }
            case DELETING -> {
                if (to.purpose() == Purpose.DELETE && !reply.ok() && !reply.noNode()) {
                    lookAgain(step, leaving, to, reply);
                } else if (to.purpose() == Purpose.RECORD) {
                    deleted(step, leaving, reply);
                }
            }
            case RELEASING -> Retirement.finish(step, leaving, true);
            case DRAINING, PARKED -> {}
        }
    }

    /** Whoever goes to the end of the queue lets its heir in first: its own requests would only be in the way. */
    private static void handedOver(Step step, Leaving leaving) {
        boolean hasHeir = leaving.successor() != null && leaving.successor().heir() != null;
        if (leaving.then() == AfterLeaving.REJOIN && hasHeir) {
            step.emit(new Command.Left(true));
            long requestId = step.nextRequestId();
            step.state = new Pending(requestId);
            step.emit(new Command.Wake(requestId, step.view.now().nanos() + AFTER_YOU));
        } else {
            Retirement.finish(step, leaving, true);
        }
    }

    private static void looked(Step step, Leaving leaving, Command.Send to, Reply reply) {
        if (to.purpose() == Purpose.LIST) {
            if (reply.noNode()) {
                electionGone(step, leaving);
            } else if (reply.ok()) {
                step.state = leaving.with(step.listed(to, reply));
            } else if (reply.code() == Code.MARSHALLINGERROR && leaving.ownNode() != null) {
                // A queue that is too long to be read: better no heir than a node that blocks everyone.
                delete(step, leaving, leaving.ownNode());
            } else {
                lookAgain(step, leaving, to, reply);
            }
        } else if (to.purpose() == Purpose.RECORD && leaving.queue() != null) {
            proceed(step, leaving, leaving.queue(), reply);
        } else if (to.purpose() == Purpose.OWN && reply.ok()) {
            CandidateNode ownNode =
                    CandidateNode.of(to.request().path(), leaving.candidacy().session(), reply.stat(), false);
            look(step, leaving.with(ownNode));
        } else if (to.purpose() == Purpose.OWN || to.purpose() == Purpose.DELETE && !reply.ok() && !reply.noNode()) {
            lookAgain(step, leaving, to, reply);
        }
    }

    /** On the session on which we took part: so it has ended. */
    private static void electionGone(Step step, Leaving leaving) {
        boolean tookPart = leaving.ownNode() != null && leaving.then() != AfterLeaving.CLEAR;
        if (tookPart && leaving.then() != AfterLeaving.END) {
            step.emit(new Command.Ended());
        }
        Retirement.finish(step, tookPart ? leaving.then(AfterLeaving.END) : leaving, true);
    }

    /** This process has deleted the election; where it has a node, the node's loss will tell. */
    static void deletedByUs(Step step) {
        if (step.state instanceof Joining joining) {
            step.emit(new Command.Ended());
            lookFor(step, joining.candidacy(), AfterLeaving.END);
        } else if (step.state instanceof Recovering recovering) {
            step.emit(new Command.Ended());
            lookFor(step, recovering.candidacy(), AfterLeaving.END);
        } else if (step.state instanceof Outgoing outgoing) {
            if (!outgoing.then().isFinal()) {
                step.emit(new Command.Ended());
                step.state = outgoing.then(AfterLeaving.END);
            }
        } else if (!(step.state instanceof Queued)
                && !(step.state instanceof NodeLost)
                && !(step.state instanceof Closed)) {
            step.emit(new Command.Ended());
            Retirement.begin(step, AfterLeaving.END, true);
        }
    }

    private static void proceed(Step step, Leaving leaving, CandidateQueue queue, Reply reply) {
        CandidateNode ownNode = leaving.ownNode();
        List<String> nodes = queue.withGuid(leaving.candidacy().guid());
        String named = reply.content()
                .flatMap(LeaderRecord::parse)
                .flatMap(record -> nodes.stream().filter(record::heldBy).findFirst())
                .orElse(null);
        if (named != null && ownNode == null) {
            // Named before it knew its own node: whoever hands over has to know it.
            step.send(Purpose.OWN, leaving.requestId(), new Request.Get(step.config.node(named), false));
        } else if (named != null && ownNode != null && named.equals(ownNode.name())) {
            step.deleteTwins(leaving.candidacy(), queue, named);
            handOver(
                    step, leaving, ownNode, queue.successor(named), reply.stat().getVersion());
        } else if (!nodes.isEmpty()) {
            long requestId = step.nextRequestId();
            step.state = leaving.to(Phase.LOOKING, requestId);
            for (String node : nodes) {
                step.send(Purpose.DELETE, requestId, new Request.Delete(step.config.node(node), -1));
            }
            step.look(requestId);
        } else {
            deleted(step, leaving, reply);
        }
    }

    /** Our node is gone. What the record says of us must not make anybody wait. */
    private static void deleted(Step step, Leaving leaving, Reply reply) {
        CandidateNode ownNode = leaving.ownNode();
        Optional<LeaderRecord> readable = reply.content().flatMap(LeaderRecord::parse);
        if (ownNode == null || readable.isEmpty()) {
            Retirement.finish(step, leaving, true);
            return;
        }
        LeaderRecord record = readable.get();
        int version = reply.stat().getVersion();
        if (record.heldBy(ownNode.name())) {
            write(step, leaving, LeaderRecord.released(ownNode.czxid(), record.lease()), version);
        } else if (record.state() == LeaderRecord.State.ENDED) {
            Leaving ending = leaving;
            boolean alreadyKnown = leaving.then() == AfterLeaving.END || leaving.then() == AfterLeaving.CLEAR;
            if (reply.stat().getMzxid() > ownNode.czxid() && !alreadyKnown) {
                step.emit(new Command.Ended());
                ending = leaving.then(AfterLeaving.END);
            }
            if (record.holder().equals(ownNode.name()) && !record.acknowledged()) {
                write(step, ending, record.acknowledge(), version);
            } else {
                Retirement.finish(step, ending, true);
            }
        } else {
            Retirement.finish(step, leaving, true);
        }
    }

    private static void write(Step step, Leaving leaving, LeaderRecord record, int version) {
        long requestId = step.nextRequestId();
        step.state = leaving.to(Phase.RELEASING, requestId);
        step.send(Purpose.RELEASE, requestId, new Request.Set(step.config.record(), record.toJson(), version));
    }

    /** What was known is out of date: look again; where it is refused, later. */
    private static void lookAgain(Step step, Leaving leaving, Command.Send to, Reply reply) {
        switch (reply.code()) {
            case NONODE, BADVERSION, NOTEMPTY, RUNTIMEINCONSISTENCY -> look(step, leaving);
            default -> {
                step.fail(new ElectionException("Cannot leave election %s, %s was refused: %s"
                        .formatted(step.config.path(), to.purpose(), ErrorTexts.code(reply.code()))));
                long requestId = step.nextRequestId();
                step.state = leaving.to(Phase.PARKED, requestId);
                step.pause(requestId);
            }
        }
    }
}
