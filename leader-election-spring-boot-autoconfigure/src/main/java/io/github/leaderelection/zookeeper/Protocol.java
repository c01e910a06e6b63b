package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.Stage.Awaiting;
import io.github.leaderelection.zookeeper.Stage.Clearing;
import io.github.leaderelection.zookeeper.Stage.Closed;
import io.github.leaderelection.zookeeper.Stage.Detached;
import io.github.leaderelection.zookeeper.Stage.Evaluating;
import io.github.leaderelection.zookeeper.Stage.Following;
import io.github.leaderelection.zookeeper.Stage.Joining;
import io.github.leaderelection.zookeeper.Stage.Leading;
import io.github.leaderelection.zookeeper.Stage.Leaving;
import io.github.leaderelection.zookeeper.Stage.Observing;
import io.github.leaderelection.zookeeper.Stage.Outgoing;
import io.github.leaderelection.zookeeper.Stage.Recovering;
import io.github.leaderelection.zookeeper.Stage.Retiring;
import io.github.leaderelection.zookeeper.Stage.Seated;
import io.github.leaderelection.zookeeper.Stage.Succeeding;
import io.github.leaderelection.zookeeper.Stage.Unseated;
import io.github.leaderelection.zookeeper.Stage.Waiting;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the election: (ballot, signal) → (ballot, commands). This class says which rule a signal calls for;
 * {@link Entry} has those of getting into the queue, {@link Campaign} those of getting to its head, {@link Reign} those of
 * leading and losing one's node, {@link Farewell} those of leaving, {@link Retirement} the last of those.
 */
final class Protocol implements Transition {

    @Override
    public Step apply(Ballot ballot, Signal signal, View view) {
        var turn = new Turn(ballot, view);
        take(turn, signal);
        return turn.done();
    }

    private static void take(Turn turn, Signal signal) {
        if (signal instanceof Signal.Replied replied) {
            replied(turn, replied.to(), replied.reply());
        } else if (signal instanceof Signal.Changed changed) {
            changed(turn, changed.path(), changed.type());
        } else if (signal instanceof Signal.Acknowledged acknowledged) {
            Reign.acknowledged(turn, acknowledged.sent());
        } else if (signal instanceof Signal.Woken woken) {
            woken(turn, woken.flight());
        } else if (signal instanceof Signal.Nominate) {
            nominate(turn);
        } else if (signal instanceof Signal.Leave leave) {
            Farewell.leave(turn, leave.reason(), leave.then());
        } else if (signal instanceof Signal.Drained drained) {
            Farewell.drained(turn, drained.term());
        } else if (signal instanceof Signal.Refused refused) {
            if (turn.stage instanceof Leading leading && leading.term() == refused.term()) {
                Farewell.leave(turn, RevocationReason.LISTENER_FAILED, Departure.PAUSE);
            }
        } else if (signal instanceof Signal.Lapsed lapsed) {
            if (turn.stage instanceof Leading leading && leading.term() == lapsed.term()) {
                Reign.lapse(turn, leading);
            }
        } else if (signal instanceof Signal.Connected) {
            connected(turn);
        } else if (signal instanceof Signal.Disconnected disconnected) {
            disconnected(turn, disconnected.watchesKept());
        } else if (signal instanceof Signal.Expired) {
            expired(turn);
        } else if (signal instanceof Signal.Recheck) {
            recheck(turn);
        } else if (signal instanceof Signal.Cleared cleared) {
            cleared(turn, cleared.refusal());
        } else if (signal instanceof Signal.Deleted) {
            Farewell.deletedByUs(turn);
        }
    }

    private static void cleared(Turn turn, @Nullable ElectionException refusal) {
        if (turn.stage instanceof Clearing) {
            if (refusal != null) {
                Entry.giveUpForNow(turn, refusal);
            } else {
                Entry.joinWhenConnected(turn);
            }
        }
    }

    private static void nominate(Turn turn) {
        if (turn.stage instanceof Observing) {
            Entry.joinWhenConnected(turn);
        } else if (turn.stage instanceof Outgoing outgoing && outgoing.then() == Departure.OBSERVE) {
            turn.stage = outgoing.then(Departure.REJOIN);
        }
    }

    private static void replied(Turn turn, Command.Send to, Reply reply) {
        if (to.about() == Command.About.OWN && turn.stage instanceof Seated seated) {
            if (to.request().path().equals(seated.seat().path())) {
                Reign.armed(turn, seated, reply);
            }
        } else if (turn.stage instanceof Joining joining && joining.flight() == to.flight()) {
            Entry.joining(turn, joining, to, reply);
        } else if (turn.stage instanceof Recovering recovering && recovering.flight() == to.flight()) {
            Entry.recovering(turn, recovering, to, reply);
        } else if (turn.stage instanceof Evaluating evaluating && evaluating.flight() == to.flight()) {
            Campaign.evaluating(turn, evaluating, to, reply);
        } else if (turn.stage instanceof Succeeding succeeding && succeeding.flight() == to.flight()) {
            Campaign.succeeding(turn, succeeding, to, reply);
        } else if (turn.stage instanceof Following following && following.flight() == to.flight()) {
            Campaign.following(turn, following, to, reply);
        } else if (turn.stage instanceof Stage.Claiming claiming && claiming.flight() == to.flight()) {
            Campaign.claiming(turn, claiming, to, reply);
        } else if (turn.stage instanceof Waiting waiting && waiting.flight() == to.flight()) {
            Campaign.waiting(turn, waiting, to, reply);
        } else if (turn.stage instanceof Leading leading && leading.flight() == to.flight()) {
            Reign.leading(turn, leading, to, reply);
        } else if (turn.stage instanceof Unseated unseated && unseated.flight() == to.flight()) {
            Reign.unseated(turn, unseated, to, reply);
        } else if (turn.stage instanceof Leaving leaving && leaving.flight() == to.flight()) {
            Farewell.replied(turn, leaving, to, reply);
        }
    }

    private static void changed(Turn turn, String path, EventType type) {
        Following following = turn.stage instanceof Seated seated ? seated.followed() : null;
        if (turn.stage instanceof Seated seated && path.equals(seated.seat().path())) {
            if (type == EventType.NodeDeleted) {
                Reign.lostSeat(turn, seated);
            } else if (type == EventType.NodeDataChanged || type == EventType.DataWatchRemoved) {
                turn.stage = seated.with(seated.seat().arm(false));
                turn.arm(seated.seat().arm(false));
            }
        } else if (following != null && path.equals(following.predecessor().path())) {
            if (type == EventType.NodeDeleted) {
                Campaign.succeed(turn, following);
            } else {
                Campaign.follow(turn, following, following.predecessor(), following.idleSince());
            }
        } else if (turn.stage instanceof Waiting waiting && path.equals(turn.setting.record())) {
            Campaign.evaluate(turn, waiting);
        } else if (path.equals(turn.setting.path())
                && (type == EventType.NodeChildrenChanged || type == EventType.ChildWatchRemoved)) {
            Reign.candidatesChanged(turn);
        }
    }

    private static void woken(Turn turn, long flight) {
        if (turn.stage instanceof Leading leading && leading.flight() == flight) {
            Reign.lookAround(turn, leading);
        } else if (turn.stage instanceof Waiting waiting && waiting.flight() == flight) {
            Campaign.claim(turn, waiting, waiting.listing(), waiting.version());
        } else if (turn.stage instanceof Awaiting awaiting && awaiting.flight() == flight) {
            Entry.joinWhenConnected(turn);
        } else if (turn.stage instanceof Detached detached && detached.flight() == flight) {
            Campaign.evaluateInTurn(turn, detached);
        } else if (turn.stage instanceof Leaving leaving && leaving.flight() == flight && turn.view.connected()) {
            Farewell.look(turn, leaving);
        } else if (turn.stage instanceof Evaluating evaluating && evaluating.flight() == flight) {
            Campaign.evaluate(turn, evaluating);
        } else if (turn.stage instanceof Recovering recovering && recovering.flight() == flight) {
            Entry.recover(turn, recovering.candidacy());
        }
    }

    private static void connected(Turn turn) {
        if (turn.stage instanceof Awaiting) {
            Entry.joinWhenConnected(turn);
        } else if (turn.stage instanceof Recovering recovering) {
            Entry.recover(turn, recovering.candidacy());
        } else if (turn.stage instanceof Detached detached) {
            // It need not trust the client to have set its watch again: no lease of its own is running out.
            Campaign.evaluateInTurn(turn, detached.with(detached.seat().arm(false)));
        } else if (turn.stage instanceof Leading leading) {
            Reign.reconnected(turn, leading);
        } else if (turn.stage instanceof Unseated unseated) {
            Reign.askWhy(turn, unseated.seat(), unseated.term());
        } else if (turn.stage instanceof Leaving leaving && leaving.phase() == Leaving.Phase.PARKED) {
            Farewell.look(turn, leaving);
        }
    }

    /** Nothing is known any more but what was proven before; a leader goes on until its lease ends. */
    private static void disconnected(Turn turn, boolean watchesKept) {
        turn.queueWatched &= watchesKept;
        if (turn.stage instanceof Joining joining) {
            turn.stage = new Recovering(joining.candidacy(), 0, null);
        } else if (turn.stage instanceof Recovering recovering) {
            turn.stage = new Recovering(recovering.candidacy(), 0, null);
        } else if (turn.stage instanceof Leading leading) {
            turn.stage = watchesKept ? leading : leading.with(leading.seat().arm(false));
        } else if (turn.stage instanceof Seated seated) {
            turn.stage = new Detached(seated.seat().arm(false), 0, seated.waited());
        } else if (turn.stage instanceof Unseated unseated) {
            Reign.tellLoss(turn, unseated);
            turn.stage = new Unseated(unseated.seat(), 0, 0);
        } else if (turn.stage instanceof Leaving leaving && leaving.phase() != Leaving.Phase.DRAINING) {
            turn.stage = leaving.to(Leaving.Phase.PARKED, 0);
        }
    }

    private static void expired(Turn turn) {
        turn.queueWatched = false;
        if (turn.stage instanceof Observing || turn.stage instanceof Retiring || turn.stage instanceof Closed) {
            return;
        }
        if (turn.stage instanceof Leaving leaving) {
            Retirement.finish(turn, leaving, false);
            return;
        }
        if (turn.stage instanceof Leading leading) {
            turn.revoke(leading, RevocationReason.SESSION_EXPIRED);
        } else if (turn.stage instanceof Unseated unseated) {
            Reign.tellLoss(turn, unseated);
        }
        // The client ends a session by itself, too, when it has not reached a server for long; that one has its node
        // then.
        boolean hadNode = !(turn.stage instanceof Awaiting) && !(turn.stage instanceof Stage.Clearing);
        turn.stage = new Awaiting(0, hadNode || Awaiting.strays(turn.stage));
    }

    private static void recheck(Turn turn) {
        if (!turn.view.connected()) {
            return;
        }
        if (turn.stage instanceof Leading leading) {
            Reign.verify(turn, leading);
        } else if (turn.stage instanceof Following following) {
            Campaign.checkPlace(turn, following);
        } else if (turn.stage instanceof Seated seated && !(seated instanceof Waiting)) {
            // A wait ends by itself, and before long.
            Campaign.evaluate(turn, seated);
        } else if (turn.stage instanceof Recovering recovering) {
            Entry.recover(turn, recovering.candidacy());
        } else if (turn.stage instanceof Unseated unseated) {
            Reign.askWhy(turn, unseated.seat(), unseated.term());
        } else if (turn.stage instanceof Leaving leaving && leaving.phase() != Leaving.Phase.DRAINING) {
            Farewell.look(turn, leaving);
        }
    }
}
