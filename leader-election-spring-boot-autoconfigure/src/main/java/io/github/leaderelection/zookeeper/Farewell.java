package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.Command.About;
import io.github.leaderelection.zookeeper.Stage.Awaiting;
import io.github.leaderelection.zookeeper.Stage.Closed;
import io.github.leaderelection.zookeeper.Stage.Following;
import io.github.leaderelection.zookeeper.Stage.Joining;
import io.github.leaderelection.zookeeper.Stage.Leading;
import io.github.leaderelection.zookeeper.Stage.Leaving;
import io.github.leaderelection.zookeeper.Stage.Leaving.Phase;
import io.github.leaderelection.zookeeper.Stage.Outgoing;
import io.github.leaderelection.zookeeper.Stage.Recovering;
import io.github.leaderelection.zookeeper.Stage.Retiring;
import io.github.leaderelection.zookeeper.Stage.Seated;
import io.github.leaderelection.zookeeper.Stage.Unseated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The rules of leaving. Whoever began to leave never leads again on that candidacy, whatever the answers are: a hand-over
 * whose answer was lost may still come into force.
 */
final class Farewell {

    private static final long AFTER_YOU = 5_000_000L;

    private Farewell() {}

    static void leave(Turn turn, RevocationReason reason, Departure then) {
        if (turn.stage instanceof Leading leading) {
            turn.revoke(leading, reason);
            turn.stage = new Leaving(leading, then);
            turn.emit(new Command.Drain(leading.term()));
        } else if (reason == RevocationReason.STEPPED_DOWN || turn.stage instanceof Closed) {
            return;
        } else if (turn.stage instanceof Outgoing outgoing) {
            if (!outgoing.then().isFinal()) {
                turn.stage = outgoing.then(then);
            }
        } else if (turn.stage instanceof Joining joining) {
            lookFor(turn, joining.candidacy(), then);
        } else if (turn.stage instanceof Recovering recovering) {
            lookFor(turn, recovering.candidacy(), then);
        } else if (turn.stage instanceof Seated seated) {
            delete(turn, seated, then);
        } else {
            if (turn.stage instanceof Unseated unseated && unseated.term() > 0) {
                turn.emit(new Command.Revoked(unseated.term(), reason));
            }
            Retirement.begin(turn, then, !Awaiting.strays(turn.stage));
        }
    }

    /** Ends this candidacy, which must not lead, and begins another. */
    static void rejoin(Turn turn, Seated seated) {
        delete(turn, seated, Departure.PAUSE);
    }

    /** The election has ended; our node may outlive a deleter that died, so it goes here. */
    static void end(Turn turn, Seated seated) {
        turn.emit(new Command.Ended());
        delete(turn, seated, Departure.END);
    }

    /** Makes room for clearing away an election that had ended before we came. */
    static void clear(Turn turn, Seated seated) {
        delete(turn, seated, Departure.CLEAR);
    }

    /** A create is under way: whether there is a node of ours, a look after it tells. */
    private static void lookFor(Turn turn, Candidacy candidacy, Departure then) {
        Leaving leaving = new Leaving(candidacy, null, 0, Phase.PARKED, then, null, null, 0, turn.drain());
        turn.stage = leaving;
        if (turn.view.connected()) {
            look(turn, leaving);
        }
    }

    /** Leaves without leading; but what an earlier term admitted may still be running. */
    private static void delete(Turn turn, Seated seated, Departure then) {
        unwatch(turn, seated);
        long term = turn.drain();
        Leaving leaving = new Leaving(seated.seat(), Phase.DRAINING, then, term);
        if (term > 0) {
            turn.stage = leaving;
        } else {
            delete(turn, leaving, seated.seat());
        }
    }

    /** Takes off the watches that would not go with our node. */
    private static void unwatch(Turn turn, Seated seated) {
        String watched = null;
        Following following = seated.followed();
        if (following != null) {
            watched = following.predecessor().path();
        } else if (seated.waited() != null) {
            watched = turn.setting.record();
        }
        if (watched != null && turn.view.connected()) {
            turn.send(About.CLEAN_UP, 0, new Request.RemoveWatches(watched, false));
        }
    }

    private static void delete(Turn turn, Leaving leaving, Seat seat) {
        if (!turn.view.connected()) {
            turn.stage = leaving.to(Phase.PARKED, 0);
            return;
        }
        long flight = turn.nextFlight();
        turn.stage = leaving.to(Phase.DELETING, flight);
        turn.send(About.DELETE, flight, new Request.Delete(seat.path(), -1));
        // We may have been named, or have claimed, just before.
        turn.readRecord(flight);
    }

    static void drained(Turn turn, long term) {
        if (turn.stage instanceof Retiring retiring && retiring.term() == term) {
            Retirement.drained(turn, retiring);
        } else if (turn.stage instanceof Leaving leaving && leaving.term() == term) {
            Leaving drained = leaving.drained();
            turn.stage = drained;
            if (leaving.phase() == Phase.DRAINING && leaving.seat() != null) {
                giveUp(turn, drained, leaving.seat());
            }
        }
    }

    private static void giveUp(Turn turn, Leaving leaving, Seat seat) {
        Succession succession = leaving.succession();
        if (succession == null || !turn.view.connected()) {
            delete(turn, leaving, seat);
        } else if (succession.isKnown()) {
            handOver(turn, leaving, seat, succession, leaving.version());
        } else {
            // Led for too short a time to know its heir.
            look(turn, leaving);
        }
    }

    /** One transaction: our node goes, and the next in line has the record, or nobody. */
    private static void handOver(Turn turn, Leaving leaving, Seat seat, Succession succession, int version) {
        long flight = turn.nextFlight();
        turn.stage = leaving.with(succession).to(Phase.HANDING_OVER, flight);
        String heir = succession.heir();
        long lease = turn.view.lease();
        List<Request> parts = new ArrayList<>();
        parts.add(new Request.Delete(seat.path(), -1));
        if (heir != null) {
            parts.add(new Request.Check(turn.setting.node(heir)));
        }
        LeaderRecord record = heir != null
                ? LeaderRecord.held(heir, seat.czxid(), lease)
                : LeaderRecord.released(seat.czxid(), lease);
        parts.add(new Request.Set(turn.setting.record(), record.toJson(), version));
        turn.send(About.HAND_OVER, flight, new Request.Multi(parts));
    }

    /** Reads afresh what there is still to do; also where an answer was lost. */
    static void look(Turn turn, Leaving leaving) {
        long flight = turn.nextFlight();
        turn.stage = leaving.to(Phase.LOOKING, flight);
        turn.settle(flight);
        turn.look(flight);
    }

    static void replied(Turn turn, Leaving leaving, Command.Send to, Reply reply) {
        if (reply.ambiguous()) {
            return;
        }
        switch (leaving.phase()) {
            case LOOKING -> looked(turn, leaving, to, reply);
            case HANDING_OVER -> {
                if (reply.ok()) {
                    handedOver(turn, leaving);
                } else if (reply.code() == Code.NOAUTH && leaving.seat() != null) {
                    // The record must not be written: better no heir than a node that blocks everyone.
                    delete(turn, leaving, leaving.seat());
                } else {
                    lookAgain(turn, leaving, to, reply);
                }
            }
            case DELETING -> {
                if (to.about() == About.DELETE && !reply.ok() && !reply.noNode()) {
                    lookAgain(turn, leaving, to, reply);
                } else if (to.about() == About.RECORD) {
                    deleted(turn, leaving, reply);
                }
            }
            case RELEASING -> Retirement.finish(turn, leaving, true);
            case DRAINING, PARKED -> {}
        }
    }

    /** Whoever goes to the end of the queue lets its heir in first: its own requests would only be in the way. */
    private static void handedOver(Turn turn, Leaving leaving) {
        boolean hasHeir = leaving.succession() != null && leaving.succession().heir() != null;
        if (leaving.then() == Departure.REJOIN && hasHeir) {
            turn.emit(new Command.Left(true));
            long flight = turn.nextFlight();
            turn.stage = new Awaiting(flight);
            turn.emit(new Command.Wake(flight, turn.view.now().nanos() + AFTER_YOU));
        } else {
            Retirement.finish(turn, leaving, true);
        }
    }

    private static void looked(Turn turn, Leaving leaving, Command.Send to, Reply reply) {
        if (to.about() == About.LIST) {
            if (reply.noNode()) {
                electionGone(turn, leaving);
            } else if (reply.ok()) {
                turn.stage = leaving.with(turn.listed(to, reply));
            } else if (reply.code() == Code.MARSHALLINGERROR && leaving.seat() != null) {
                // A queue that is too long to be read: better no heir than a node that blocks everyone.
                delete(turn, leaving, leaving.seat());
            } else {
                lookAgain(turn, leaving, to, reply);
            }
        } else if (to.about() == About.RECORD && leaving.listing() != null) {
            proceed(turn, leaving, leaving.listing(), reply);
        } else if (to.about() == About.OWN && reply.ok()) {
            Seat seat = Seat.of(to.request().path(), leaving.candidacy().session(), reply.stat(), false);
            look(turn, leaving.with(seat));
        } else if (to.about() == About.OWN || to.about() == About.DELETE && !reply.ok() && !reply.noNode()) {
            lookAgain(turn, leaving, to, reply);
        }
    }

    /** On the session on which we took part: so it has ended. */
    private static void electionGone(Turn turn, Leaving leaving) {
        boolean tookPart = leaving.seat() != null && leaving.then() != Departure.CLEAR;
        if (tookPart && leaving.then() != Departure.END) {
            turn.emit(new Command.Ended());
        }
        Retirement.finish(turn, tookPart ? leaving.then(Departure.END) : leaving, true);
    }

    /** This process has deleted the election; where it has a node, the node's loss will tell. */
    static void deletedByUs(Turn turn) {
        if (turn.stage instanceof Joining joining) {
            turn.emit(new Command.Ended());
            lookFor(turn, joining.candidacy(), Departure.END);
        } else if (turn.stage instanceof Recovering recovering) {
            turn.emit(new Command.Ended());
            lookFor(turn, recovering.candidacy(), Departure.END);
        } else if (turn.stage instanceof Outgoing outgoing) {
            if (!outgoing.then().isFinal()) {
                turn.emit(new Command.Ended());
                turn.stage = outgoing.then(Departure.END);
            }
        } else if (!(turn.stage instanceof Seated)
                && !(turn.stage instanceof Unseated)
                && !(turn.stage instanceof Closed)) {
            turn.emit(new Command.Ended());
            Retirement.begin(turn, Departure.END, true);
        }
    }

    private static void proceed(Turn turn, Leaving leaving, Listing listing, Reply reply) {
        Seat seat = leaving.seat();
        List<String> nodes = listing.withGuid(leaving.candidacy().guid());
        String named = LeaderRecord.in(reply)
                .flatMap(record -> nodes.stream().filter(record::heldBy).findFirst())
                .orElse(null);
        if (named != null && seat == null) {
            // Named before it knew its own node: whoever hands over has to know it.
            turn.send(About.OWN, leaving.flight(), new Request.Get(turn.setting.node(named), false));
        } else if (named != null && seat != null && named.equals(seat.node())) {
            turn.deleteTwins(leaving.candidacy(), listing, named);
            handOver(
                    turn, leaving, seat, listing.succession(named), reply.stat().getVersion());
        } else if (!nodes.isEmpty()) {
            long flight = turn.nextFlight();
            turn.stage = leaving.to(Phase.LOOKING, flight);
            for (String node : nodes) {
                turn.send(About.DELETE, flight, new Request.Delete(turn.setting.node(node), -1));
            }
            turn.look(flight);
        } else {
            deleted(turn, leaving, reply);
        }
    }

    /** Our node is gone. What the record says of us must not make anybody wait. */
    private static void deleted(Turn turn, Leaving leaving, Reply reply) {
        Seat seat = leaving.seat();
        Optional<LeaderRecord> readable = LeaderRecord.in(reply);
        if (seat == null || readable.isEmpty()) {
            Retirement.finish(turn, leaving, true);
            return;
        }
        LeaderRecord record = readable.get();
        int version = reply.stat().getVersion();
        if (record.heldBy(seat.node())) {
            write(turn, leaving, LeaderRecord.released(seat.czxid(), record.lease()), version);
        } else if (record.state() == LeaderRecord.State.ENDED) {
            Leaving ending = leaving;
            boolean alreadyKnown = leaving.then() == Departure.END || leaving.then() == Departure.CLEAR;
            if (reply.stat().getMzxid() > seat.czxid() && !alreadyKnown) {
                turn.emit(new Command.Ended());
                ending = leaving.then(Departure.END);
            }
            if (record.holder().equals(seat.node()) && !record.acknowledged()) {
                write(turn, ending, record.acknowledge(), version);
            } else {
                Retirement.finish(turn, ending, true);
            }
        } else {
            Retirement.finish(turn, leaving, true);
        }
    }

    private static void write(Turn turn, Leaving leaving, LeaderRecord record, int version) {
        long flight = turn.nextFlight();
        turn.stage = leaving.to(Phase.RELEASING, flight);
        turn.send(About.RELEASE, flight, new Request.Set(turn.setting.record(), record.toJson(), version));
    }

    /** What was known is out of date: look again; where it is refused, later. */
    private static void lookAgain(Turn turn, Leaving leaving, Command.Send to, Reply reply) {
        switch (reply.code()) {
            case NONODE, BADVERSION, NOTEMPTY, RUNTIMEINCONSISTENCY -> look(turn, leaving);
            default -> {
                turn.fail(new ElectionException("Cannot leave election %s, %s was refused: %s"
                        .formatted(turn.setting.path(), to.about(), Explain.code(reply.code()))));
                long flight = turn.nextFlight();
                turn.stage = leaving.to(Phase.PARKED, flight);
                turn.pause(flight);
            }
        }
    }
}
