package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.Command.About;
import io.github.leaderelection.zookeeper.Stage.Claiming;
import io.github.leaderelection.zookeeper.Stage.Detached;
import io.github.leaderelection.zookeeper.Stage.Leading;
import io.github.leaderelection.zookeeper.Stage.Leaving;
import io.github.leaderelection.zookeeper.Stage.Named;
import io.github.leaderelection.zookeeper.Stage.Seated;
import io.github.leaderelection.zookeeper.Stage.Unseated;
import java.util.Optional;

/** The rules of leading: how a lease is earned, renewed and lost, and what the loss of one's node means. */
final class Reign {

    private Reign() {}

    /**
     * The record holds our node's name. Leads at once if a recent beat has proven the node, else after the next. A claim
     * that has just come into force is such a beat, and it has checked the node by itself: it needs no watch for that.
     */
    static void named(Turn turn, Seated seated, Listing listing, int version, long granted) {
        long lease = Math.min(granted, turn.view.lease());
        Named named = new Named(seated.seat(), listing, version, granted);
        boolean proven = seated.seat().armed() || seated instanceof Claiming;
        if (proven && seated.seat().holds(lease / 2, turn.view.now())) {
            lead(turn, named);
        } else {
            turn.stage = named;
            turn.arm(seated.seat());
            turn.emit(new Command.Beat());
        }
    }

    private static void lead(Turn turn, Named named) {
        long lease = Math.min(named.granted(), turn.view.lease());
        long flight = turn.nextFlight();
        Succession succession = named.listing().succession(named.seat().node());
        Leading leading = new Leading(
                named.seat(),
                flight,
                succession,
                named.version(),
                named.granted(),
                lease,
                turn.grant(),
                turn.view.now().millis());
        turn.stage = leading;
        turn.allIsWell();
        if (lacksWatches(turn, leading)) {
            turn.emit(new Command.WakeWhenIdle(flight));
        }
        if (!named.seat().holds(lease / 2, turn.view.now())) {
            turn.emit(new Command.Beat());
        }
    }

    /** A beat was committed. It counts only where the watch on our own node would have told of its deletion before. */
    static void acknowledged(Turn turn, Moment sent) {
        if (turn.stage instanceof Leading leading) {
            if (!leading.isValid(turn.view.now())) {
                lapse(turn, leading);
            } else if (leading.seat().armed()) {
                // A lease that shrinks takes effect with a beat that leaves time for the next one, not before.
                long lease = Math.min(leading.granted(), turn.view.lease());
                Leading renewed = leading.renewed(sent, lease);
                boolean abrupt = lease < leading.lease() && !renewed.seat().holds(lease / 2, turn.view.now());
                turn.stage = abrupt ? leading : renewed;
            }
        } else if (turn.stage instanceof Named named && named.seat().armed()) {
            Seat seat = named.seat().earn(sent);
            turn.stage = named.with(seat);
            if (seat.holds(Math.min(named.granted(), turn.view.lease()), turn.view.now())) {
                lead(turn, named.with(seat));
            } else {
                turn.emit(new Command.Beat());
            }
        } else if (turn.stage instanceof Seated seated && seated.seat().armed()) {
            // Not needed yet; but whoever is named before long need not ask for another one.
            turn.stage = seated.with(seated.seat().earn(sent));
        }
    }

    /** The answer to setting the watch on our own node. */
    static void armed(Turn turn, Seated seated, Reply reply) {
        if (reply.ok() && reply.stat().getEphemeralOwner() == seated.seat().session()) {
            if (!turn.view.connected()) {
                // Set on a connection that was lost since.
                return;
            }
            turn.stage = seated.with(seated.seat().arm(true));
            if (turn.stage instanceof Named) {
                // The last beat may have come before it could count.
                turn.emit(new Command.Beat());
            } else if (turn.stage instanceof Leading leading) {
                armed(turn, leading);
            }
        } else if (reply.ok() || reply.noNode()) {
            lostSeat(turn, seated);
        } else if (!reply.ambiguous()) {
            turn.fail(new ElectionException(
                    "Cannot watch our own node %s: %s".formatted(seated.seat().path(), Explain.code(reply.code()))));
        }
    }

    private static void armed(Turn turn, Leading leading) {
        if (!leading.seat().holds(leading.lease() * 2 / 3, turn.view.now())) {
            // There may be no time to wait for the next one.
            turn.emit(new Command.Beat());
        }
        if (lacksWatches(turn, leading)) {
            turn.emit(new Command.WakeWhenIdle(leading.flight()));
        }
    }

    /** The lease is over. The node stays; if it is still there when ZooKeeper answers again, a new term may begin. */
    static void lapse(Turn turn, Leading leading) {
        turn.revoke(leading, RevocationReason.CONNECTION_LOST);
        Campaign.evaluateInTurn(turn, new Detached(leading.seat(), 0, null));
    }

    /** Sets a watch that a leader still lacks, now that there is time for it; the queue tells who comes next. */
    static void lookAround(Turn turn, Leading leading) {
        if (!leading.seat().armed()) {
            turn.arm(leading.seat());
        } else if (lacksWatches(turn, leading)) {
            turn.list(leading.flight(), true);
        }
    }

    private static boolean lacksWatches(Turn turn, Leading leading) {
        return !leading.seat().armed()
                || !turn.queueWatched
                || !leading.succession().isKnown();
    }

    static void candidatesChanged(Turn turn) {
        turn.queueWatched = false;
        if (turn.stage instanceof Leading leading) {
            turn.list(leading.flight(), true);
        }
    }

    /**
     * Within its lease: goes on. Where the watches were kept, one beat proves the nodes of all elections at once. They are
     * set again all the same, when there is time: a server that is overburdened may not have done it, and nobody is told.
     */
    static void reconnected(Turn turn, Leading leading) {
        if (leading.seat().armed()) {
            turn.emit(new Command.Beat());
            turn.armAgain(leading.seat());
            if (lacksWatches(turn, leading)) {
                turn.emit(new Command.WakeWhenIdle(leading.flight()));
            }
        } else {
            turn.arm(leading.seat());
            turn.emit(new Command.Beat());
        }
        turn.glance(leading.flight());
    }

    /** Looks whether all is as it is known to be; the watches are set again only if one has failed to tell. */
    static void verify(Turn turn, Leading leading) {
        if (lacksWatches(turn, leading)) {
            check(turn, leading);
        } else {
            turn.glance(leading.flight());
        }
    }

    /** Sets all watches of a leader, again if need be, and reads what they would tell. */
    static void check(Turn turn, Leading leading) {
        turn.stage = leading.with(leading.seat().arm(false));
        turn.arm(leading.seat().arm(false));
        turn.list(leading.flight(), true);
        turn.readRecord(leading.flight());
    }

    static void leading(Turn turn, Leading leading, Command.Send to, Reply reply) {
        if (to.about() == About.LIST) {
            Listing listing = turn.listed(to, reply);
            if (reply.noNode() || reply.ok() && !listing.contains(leading.seat().node())) {
                lostSeat(turn, leading);
            } else if (reply.ok()) {
                succession(turn, leading, listing, to.request() instanceof Request.Names);
            }
        } else if (to.about() == About.RECORD && reply.ok()) {
            Optional<LeaderRecord> record = LeaderRecord.parse(reply.data());
            boolean ours =
                    record.isPresent() && record.get().heldBy(leading.seat().node());
            boolean ending = record.isPresent() && record.get().state() == LeaderRecord.State.ENDED;
            if (ending) {
                // Whoever marked the end may have died before it could delete our node.
                turn.former = leading.seat().node();
                ended(turn, leading.seat(), leading.term());
            } else if (!ours) {
                // Somebody overwrote the record, and with it what makes a successor wait for our lease.
                turn.revoke(leading, RevocationReason.NODE_LOST);
                Campaign.evaluate(turn, leading);
            }
        }
    }

    private static void succession(Turn turn, Leading leading, Listing listing, boolean glanced) {
        Leading informed = leading.with(listing.succession(leading.seat().node()));
        turn.stage = informed;
        turn.deleteTwins(leading.seat().candidacy(), listing, leading.seat().node());
        if (glanced && turn.queueWatched && !informed.succession().equals(leading.succession())) {
            check(turn, informed);
        }
    }

    /** Our node is gone, and with it whatever it led to; why, the record tells. */
    static void lostSeat(Turn turn, Seated seated) {
        long term = seated instanceof Leading leading ? leading.term() : 0;
        if (term > 0) {
            turn.former = seated.seat().node();
        }
        askWhy(turn, seated.seat(), term);
    }

    static void askWhy(Turn turn, Seat seat, long term) {
        if (!turn.view.connected()) {
            // Nobody answers before the connection is back, and the end of the term is not to wait for that.
            tellLoss(turn, new Unseated(seat, 0, term));
            turn.stage = new Unseated(seat, 0, 0);
            return;
        }
        long flight = turn.nextFlight();
        turn.stage = new Unseated(seat, flight, term);
        turn.send(About.STAT, flight, new Request.Exists(turn.setting.path()));
        turn.readRecord(flight);
    }

    static void unseated(Turn turn, Unseated unseated, Command.Send to, Reply reply) {
        long czxid = unseated.seat().czxid();
        if (to.about() == About.STAT && (reply.noNode() || reply.stat().getCzxid() > czxid)) {
            ended(turn, unseated.seat(), unseated.term());
        } else if (to.about() == About.RECORD && !reply.ambiguous()) {
            Optional<LeaderRecord> record = LeaderRecord.in(reply);
            boolean ended = record.isPresent() && record.get().state() == LeaderRecord.State.ENDED;
            if (ended && reply.stat().getMzxid() > czxid) {
                ended(turn, unseated.seat(), unseated.term());
            } else {
                tellLoss(turn, unseated);
                Entry.joinWhenConnected(turn);
            }
        }
    }

    static void tellLoss(Turn turn, Unseated unseated) {
        if (unseated.term() > 0) {
            turn.emit(new Command.Revoked(unseated.term(), RevocationReason.NODE_LOST));
        }
    }

    /** The election was deleted. Its last leader drains, so that it can acknowledge that nobody leads any more. */
    static void ended(Turn turn, Seat seat, long term) {
        if (term > 0) {
            turn.emit(new Command.Revoked(term, RevocationReason.ENDED));
            turn.stage = new Leaving(seat, Leaving.Phase.DRAINING, Departure.END, term);
            turn.emit(new Command.Ended());
            turn.emit(new Command.Drain(term));
        } else {
            turn.emit(new Command.Ended());
            Retirement.begin(turn, Departure.END, true);
        }
    }
}
