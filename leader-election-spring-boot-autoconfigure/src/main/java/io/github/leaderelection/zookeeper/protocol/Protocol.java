package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.protocol.State.AwaitingLeaseEnd;
import io.github.leaderelection.zookeeper.protocol.State.Clearing;
import io.github.leaderelection.zookeeper.protocol.State.Closed;
import io.github.leaderelection.zookeeper.protocol.State.Detached;
import io.github.leaderelection.zookeeper.protocol.State.Draining;
import io.github.leaderelection.zookeeper.protocol.State.Evaluating;
import io.github.leaderelection.zookeeper.protocol.State.Following;
import io.github.leaderelection.zookeeper.protocol.State.Joining;
import io.github.leaderelection.zookeeper.protocol.State.Leading;
import io.github.leaderelection.zookeeper.protocol.State.Leaving;
import io.github.leaderelection.zookeeper.protocol.State.NodeLost;
import io.github.leaderelection.zookeeper.protocol.State.Observing;
import io.github.leaderelection.zookeeper.protocol.State.Outgoing;
import io.github.leaderelection.zookeeper.protocol.State.Pending;
import io.github.leaderelection.zookeeper.protocol.State.Queued;
import io.github.leaderelection.zookeeper.protocol.State.Recovering;
import io.github.leaderelection.zookeeper.protocol.State.Succeeding;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the election: (ballot, signal) → (ballot, commands). This class says which rule a signal calls for;
 * {@link Entry} has those of getting into the queue, {@link Campaign} those of getting to its head, {@link Reign} those of
 * leading and losing one's node, {@link Farewell} those of leaving, {@link Retirement} the last of those.
 */
public final class Protocol implements StateMachine {

    @Override
    public Outcome apply(ElectionState election, Event event, View view) {
        var step = new Step(election, view);
        take(step, event);
        return step.done();
    }

    private static void take(Step step, Event event) {
        if (event instanceof Event.Replied replied) {
            replied(step, replied.to(), replied.reply());
        } else if (event instanceof Event.Changed changed) {
            changed(step, changed.path(), changed.type());
        } else if (event instanceof Event.Acknowledged acknowledged) {
            Reign.acknowledged(step, acknowledged.sent());
        } else if (event instanceof Event.Woken woken) {
            woken(step, woken.requestId());
        } else if (event instanceof Event.Nominate) {
            nominate(step);
        } else if (event instanceof Event.Leave leave) {
            Farewell.leave(step, leave.reason(), leave.then());
        } else if (event instanceof Event.Drained drained) {
            Farewell.drained(step, drained.term());
        } else if (event instanceof Event.Refused refused) {
            if (step.state instanceof Leading leading && leading.term() == refused.term()) {
                Farewell.leave(step, RevocationReason.LISTENER_FAILED, AfterLeaving.PAUSE);
            }
        } else if (event instanceof Event.Lapsed lapsed) {
            if (step.state instanceof Leading leading && leading.term() == lapsed.term()) {
                Reign.lapse(step, leading);
            }
        } else if (event instanceof Event.Connected) {
            connected(step);
        } else if (event instanceof Event.Disconnected disconnected) {
            disconnected(step, disconnected.watchesKept());
        } else if (event instanceof Event.Expired) {
            expired(step);
        } else if (event instanceof Event.Recheck) {
            recheck(step);
        } else if (event instanceof Event.Cleared cleared) {
            cleared(step, cleared.refusal());
        } else if (event instanceof Event.Deleted) {
            Farewell.deletedByUs(step);
        }
    }

    private static void cleared(Step step, @Nullable ElectionException refusal) {
        if (step.state instanceof Clearing) {
            if (refusal != null) {
                Entry.giveUpForNow(step, refusal);
            } else {
                Entry.joinWhenConnected(step);
            }
        }
    }

    private static void nominate(Step step) {
        if (step.state instanceof Observing) {
            Entry.joinWhenConnected(step);
        } else if (step.state instanceof Outgoing outgoing && outgoing.then() == AfterLeaving.OBSERVE) {
            step.state = outgoing.then(AfterLeaving.REJOIN);
        }
    }

    private static void replied(Step step, Command.Send to, Reply reply) {
        if (to.purpose() == Command.Purpose.OWN && step.state instanceof Queued queued) {
            if (to.request().path().equals(queued.ownNode().path())) {
                Reign.armed(step, queued, reply);
            }
        } else if (step.state instanceof Joining joining && joining.requestId() == to.requestId()) {
            Entry.joining(step, joining, to, reply);
        } else if (step.state instanceof Recovering recovering && recovering.requestId() == to.requestId()) {
            Entry.recovering(step, recovering, to, reply);
        } else if (step.state instanceof Evaluating evaluating && evaluating.requestId() == to.requestId()) {
            Campaign.evaluating(step, evaluating, to, reply);
        } else if (step.state instanceof Succeeding succeeding && succeeding.requestId() == to.requestId()) {
            Campaign.succeeding(step, succeeding, to, reply);
        } else if (step.state instanceof Following following && following.requestId() == to.requestId()) {
            Campaign.following(step, following, to, reply);
        } else if (step.state instanceof State.Claiming claiming && claiming.requestId() == to.requestId()) {
            Campaign.claiming(step, claiming, to, reply);
        } else if (step.state instanceof AwaitingLeaseEnd waiting && waiting.requestId() == to.requestId()) {
            Campaign.waiting(step, waiting, to, reply);
        } else if (step.state instanceof Leading leading && leading.requestId() == to.requestId()) {
            Reign.leading(step, leading, to, reply);
        } else if (step.state instanceof NodeLost nodeLost && nodeLost.requestId() == to.requestId()) {
            Reign.nodeLost(step, nodeLost, to, reply);
        } else if (step.state instanceof Leaving leaving && leaving.requestId() == to.requestId()) {
            Farewell.replied(step, leaving, to, reply);
        }
    }

    private static void changed(Step step, String path, EventType type) {
        Following following = step.state instanceof Queued queued ? queued.followed() : null;
        if (step.state instanceof Queued queued && path.equals(queued.ownNode().path())) {
            if (type == EventType.NodeDeleted) {
                Reign.lostSeat(step, queued);
            } else if (type == EventType.NodeDataChanged || type == EventType.DataWatchRemoved) {
                step.state = queued.with(queued.ownNode().arm(false));
                step.arm(queued.ownNode().arm(false));
            }
        } else if (following != null && path.equals(following.predecessor().path())) {
            if (type == EventType.NodeDeleted) {
                Campaign.succeed(step, following);
            } else {
                Campaign.follow(step, following, following.predecessor(), following.idleSince());
            }
        } else if (step.state instanceof AwaitingLeaseEnd waiting && path.equals(step.config.record())) {
            Campaign.evaluate(step, waiting);
        } else if (path.equals(step.config.path())
                && (type == EventType.NodeChildrenChanged || type == EventType.ChildWatchRemoved)) {
            Reign.candidatesChanged(step);
        }
    }

    private static void woken(Step step, long requestId) {
        if (step.state instanceof Leading leading && leading.requestId() == requestId) {
            Reign.lookAround(step, leading);
        } else if (step.state instanceof AwaitingLeaseEnd waiting && waiting.requestId() == requestId) {
            Campaign.claim(step, waiting, waiting.queue(), waiting.version());
        } else if (step.state instanceof Pending pending && pending.requestId() == requestId) {
            Entry.joinWhenConnected(step);
        } else if (step.state instanceof Detached detached && detached.requestId() == requestId) {
            Campaign.evaluateInTurn(step, detached);
        } else if (step.state instanceof Leaving leaving && leaving.requestId() == requestId && step.view.connected()) {
            Farewell.look(step, leaving);
        } else if (step.state instanceof Evaluating evaluating && evaluating.requestId() == requestId) {
            Campaign.evaluate(step, evaluating);
        } else if (step.state instanceof Recovering recovering && recovering.requestId() == requestId) {
            Entry.recover(step, recovering.candidacy());
        }
    }

    private static void connected(Step step) {
        if (step.state instanceof Pending) {
            Entry.joinWhenConnected(step);
        } else if (step.state instanceof Recovering recovering) {
            Entry.recover(step, recovering.candidacy());
        } else if (step.state instanceof Detached detached) {
            // It need not trust the client to have set its watch again: no lease of its own is running out.
            Campaign.evaluateInTurn(step, detached.with(detached.ownNode().arm(false)));
        } else if (step.state instanceof Leading leading) {
            Reign.reconnected(step, leading);
        } else if (step.state instanceof NodeLost nodeLost) {
            Reign.askWhy(step, nodeLost.ownNode(), nodeLost.term());
        } else if (step.state instanceof Leaving leaving && leaving.phase() == Leaving.Phase.PARKED) {
            Farewell.look(step, leaving);
        }
    }

    /** Nothing is known any more but what was proven before; a leader goes on until its lease ends. */
    private static void disconnected(Step step, boolean watchesKept) {
        step.queueWatched &= watchesKept;
        if (step.state instanceof Joining joining) {
            step.state = new Recovering(joining.candidacy(), 0, null);
        } else if (step.state instanceof Recovering recovering) {
            step.state = new Recovering(recovering.candidacy(), 0, null);
        } else if (step.state instanceof Leading leading) {
            step.state = watchesKept ? leading : leading.with(leading.ownNode().arm(false));
        } else if (step.state instanceof Queued queued) {
            step.state = new Detached(queued.ownNode().arm(false), 0, queued.waited());
        } else if (step.state instanceof NodeLost nodeLost) {
            Reign.tellLoss(step, nodeLost);
            step.state = new NodeLost(nodeLost.ownNode(), 0, 0);
        } else if (step.state instanceof Leaving leaving && leaving.phase() != Leaving.Phase.DRAINING) {
            step.state = leaving.to(Leaving.Phase.PARKED, 0);
        }
    }

    private static void expired(Step step) {
        step.queueWatched = false;
        if (step.state instanceof Observing || step.state instanceof Draining || step.state instanceof Closed) {
            return;
        }
        if (step.state instanceof Leaving leaving) {
            Retirement.finish(step, leaving, false);
            return;
        }
        if (step.state instanceof Leading leading) {
            step.revoke(leading, RevocationReason.SESSION_EXPIRED);
        } else if (step.state instanceof NodeLost nodeLost) {
            Reign.tellLoss(step, nodeLost);
        }
        // The client ends a session by itself, too, when it has not reached a server for long; that one has its node
        // then.
        boolean hadNode = !(step.state instanceof Pending) && !(step.state instanceof State.Clearing);
        step.state = new Pending(0, hadNode || Pending.strays(step.state));
    }

    private static void recheck(Step step) {
        if (!step.view.connected()) {
            return;
        }
        if (step.state instanceof Leading leading) {
            Reign.verify(step, leading);
        } else if (step.state instanceof Following following) {
            Campaign.checkPlace(step, following);
        } else if (step.state instanceof Queued queued && !(queued instanceof AwaitingLeaseEnd)) {
            // A wait ends by itself, and before long.
            Campaign.evaluate(step, queued);
        } else if (step.state instanceof Recovering recovering) {
            Entry.recover(step, recovering.candidacy());
        } else if (step.state instanceof NodeLost nodeLost) {
            Reign.askWhy(step, nodeLost.ownNode(), nodeLost.term());
        } else if (step.state instanceof Leaving leaving && leaving.phase() != Leaving.Phase.DRAINING) {
            Farewell.look(step, leaving);
        }
    }
}
