package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.Command.About;
import io.github.leaderelection.zookeeper.Stage.Claiming;
import io.github.leaderelection.zookeeper.Stage.Detached;
import io.github.leaderelection.zookeeper.Stage.Evaluating;
import io.github.leaderelection.zookeeper.Stage.Following;
import io.github.leaderelection.zookeeper.Stage.Seated;
import io.github.leaderelection.zookeeper.Stage.Succeeding;
import io.github.leaderelection.zookeeper.Stage.Waiting;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** The rules of following, and of getting to the head of the queue: waiting and claiming. */
final class Campaign {

    private Campaign() {}

    /** Reads the queue and the record afresh. */
    static void evaluate(Turn turn, Seated seated) {
        evaluate(turn, new Evaluating(seated.seat(), 0, Findings.NONE, null, null, seated.waited()));
    }

    /** The same as soon as there is room for it: after a reconnect all elections want it at once. */
    static void evaluateInTurn(Turn turn, Detached detached) {
        if (!turn.view.connected()) {
            turn.stage = detached;
        } else if (turn.view.hasRoom()) {
            evaluate(turn, detached);
        } else {
            turn.stage = new Detached(detached.seat(), turn.waitForRoom(), detached.waited());
        }
    }

    /**
     * The predecessor is gone. If it named us when it left, the record says so, and the beat sent along with the read
     * lets us lead without another round trip; nor is that one needed if the last one is still fresh.
     */
    static void succeed(Turn turn, Following following) {
        long flight = turn.nextFlight();
        Seat seat = following.seat();
        turn.stage = new Succeeding(seat, flight, following.predecessor());
        turn.arm(seat);
        turn.readRecord(flight);
        if (!seat.armed() || !seat.holds(turn.view.lease() / 2, turn.view.now())) {
            turn.emit(new Command.Beat());
        }
    }

    /** Named: leads, whatever the queue is. Otherwise the queue is read, and after it the record once more. */
    static void succeeding(Turn turn, Succeeding succeeding, Command.Send to, Reply reply) {
        if (to.about() != About.RECORD || reply.ambiguous()) {
            return;
        }
        Seat seat = succeeding.seat();
        Optional<LeaderRecord> record = LeaderRecord.in(reply);
        if (record.isPresent() && record.get().heldBy(seat.node())) {
            Reign.named(
                    turn,
                    succeeding,
                    Listing.NONE,
                    reply.stat().getVersion(),
                    record.get().lease());
        } else {
            Predecessor last = succeeding.last();
            evaluate(turn, new Evaluating(seat, 0, Findings.NONE, last, null, null));
        }
    }

    /** Verifies a follower's place; unless all was well before, its watches are set again, too. */
    static void checkPlace(Turn turn, Following following) {
        Seat seat = following.isSettled() ? following.seat() : following.seat().arm(false);
        Predecessor last = following.predecessor();
        evaluate(turn, new Evaluating(seat, 0, Findings.NONE, last, following, null));
    }

    private static void evaluate(Turn turn, Evaluating planned) {
        long flight = turn.nextFlight();
        boolean succeeding = planned.last() != null && planned.checking() == null;
        turn.stage = planned.on(flight);
        if (planned.last() != null) {
            turn.arm(planned.seat());
        }
        if (succeeding) {
            turn.list(flight, true);
            turn.readRecord(flight);
        } else if (planned.checking() != null && planned.checking().isSettled()) {
            turn.glance(flight);
        } else {
            turn.look(flight);
        }
    }

    static void evaluating(Turn turn, Evaluating evaluating, Command.Send to, Reply reply) {
        switch (to.about()) {
            case LIST -> listed(turn, evaluating, to, reply);
            case RECORD -> {
                if (evaluating.found().listing() != null) {
                    judge(turn, evaluating.with(evaluating.found().with(reply)), to);
                }
            }
            case STAT -> statRead(turn, evaluating, to, reply);
            default -> {}
        }
    }

    private static void statRead(Turn turn, Evaluating evaluating, Command.Send to, Reply reply) {
        Findings found = evaluating.found();
        boolean ofCandidate = found.listing() != null && !found.listing().ordered();
        boolean refused = reply.code() == Code.NOAUTH && to.request() instanceof Request.Get;
        if (reply.ambiguous() || refused || ofCandidate && reply.noNode()) {
            // Who may not read a node's data is told of its Stat all the same, if it asks for that alone.
            return;
        }
        if (ofCandidate && !reply.ok()) {
            // It is there, and its place in the queue cannot be told.
            turn.tryAgainLater(evaluating, evaluating.flight(), to, reply);
            return;
        }
        // Of an ancestor that may not be read nothing can be ruled out.
        Stat stat = reply.ok() ? reply.stat() : Verdict.SOMETHING_DELETED;
        Evaluating more = evaluating.with(found.with(to.request().path(), stat));
        turn.stage = more;
        if (found.record() != null) {
            judge(turn, more, to);
        }
    }

    private static void listed(Turn turn, Evaluating evaluating, Command.Send to, Reply reply) {
        Seat seat = evaluating.seat();
        if (reply.ok()) {
            Listing listing = turn.listed(to, reply);
            turn.deleteTwins(evaluating.seat().candidacy(), listing, seat.node());
            if (!listing.contains(seat.node())) {
                Reign.lostSeat(turn, evaluating);
            } else if (listing.ordered()) {
                turn.stage = evaluating.with(evaluating.found().with(listing));
            } else {
                readCzxids(turn, evaluating, listing);
            }
        } else if (reply.noNode()) {
            Reign.lostSeat(turn, evaluating);
        } else if (!reply.ambiguous()) {
            turn.tryAgainLater(evaluating, evaluating.flight(), to, reply);
        }
    }

    /** After an overflow of the sequence the order of creation decides; the record is read again after it is known. */
    private static void readCzxids(Turn turn, Evaluating evaluating, Listing listing) {
        long flight = turn.nextFlight();
        turn.stage = evaluating.on(flight).with(Findings.NONE.with(listing));
        for (NodeName node : listing.queue()) {
            turn.send(About.STAT, flight, new Request.Exists(turn.setting.node(node.name())));
        }
        turn.readRecord(flight);
    }

    private static void judge(Turn turn, Evaluating evaluating, Command.Send to) {
        Findings found = evaluating.found();
        Reply record = found.record();
        Listing listing = found.listing();
        if (record == null || listing == null || record.ambiguous()) {
            return;
        }
        if (!record.ok() && !record.noNode()) {
            turn.tryAgainLater(evaluating, evaluating.flight(), to, record);
            return;
        }
        if (!listing.ordered()) {
            Map<String, Long> czxids = new HashMap<>();
            found.stats().forEach((path, stat) -> czxids.put(Paths.name(path), stat.getCzxid()));
            listing = listing.orderedBy(czxids, turn.view.now().nanos());
            evaluating = evaluating.with(found.with(listing));
        }
        turn.stage = evaluating;
        if (!listing.contains(evaluating.seat().node())) {
            Reign.lostSeat(turn, evaluating);
            return;
        }
        act(
                turn,
                evaluating,
                listing,
                Verdict.of(turn.setting.path(), evaluating, listing, record, turn.former, turn.view));
    }

    private static void act(Turn turn, Evaluating evaluating, Listing listing, Verdict verdict) {
        if (verdict instanceof Verdict.Follow follow) {
            followAgain(turn, evaluating, follow);
        } else if (verdict instanceof Verdict.Lead lead) {
            Reign.named(turn, evaluating, listing, lead.version(), lead.lease());
        } else if (verdict instanceof Verdict.Claim claim) {
            claim(turn, evaluating, listing, claim.version());
        } else if (verdict instanceof Verdict.Wait wait) {
            await(turn, evaluating, listing, wait);
        } else if (verdict instanceof Verdict.Ask ask) {
            turn.send(About.STAT, evaluating.flight(), new Request.Exists(ask.node()));
        } else if (verdict instanceof Verdict.Rejoin rejoin) {
            if (rejoin.vain()) {
                turn.fail(new ElectionException(
                        ("Nobody can lead: the token in %s is ahead of this ZooKeeper's own numbers."
                                        + " If it was copied from elsewhere, delete that node")
                                .formatted(turn.setting.record())));
            }
            Farewell.rejoin(turn, evaluating);
        } else if (verdict instanceof Verdict.Ended) {
            Farewell.end(turn, evaluating);
        } else if (verdict instanceof Verdict.Clear) {
            Farewell.clear(turn, evaluating);
        }
    }

    /** What is known of the predecessor stays known if it is still the same. */
    private static void followAgain(Turn turn, Evaluating evaluating, Verdict.Follow follow) {
        Predecessor last = evaluating.last();
        boolean same = last != null && last.node().equals(follow.predecessor());
        Following checked = evaluating.checking();
        if (same && checked != null && checked.isSettled() && evaluating.seat().armed() && !follow.idle()) {
            turn.stage = checked.with(evaluating.seat());
            return;
        }
        Predecessor predecessor =
                same && last != null ? last : new Predecessor(turn.setting.node(follow.predecessor()));
        Moment idleBefore = same && checked != null ? checked.idleSince() : null;
        Moment idleSince = idleBefore != null ? idleBefore : turn.view.now();
        follow(turn, evaluating, predecessor, follow.idle() ? idleSince : null);
    }

    /** Watches with a read, not with exists: that would leave a watch behind if the node is gone. */
    static void follow(Turn turn, Seated seated, Predecessor predecessor, @Nullable Moment idleSince) {
        long flight = turn.nextFlight();
        turn.stage = new Following(seated.seat(), flight, predecessor.unwatched(), idleSince);
        turn.send(About.PREDECESSOR, flight, new Request.Get(predecessor.path(), true));
        turn.arm(seated.seat());
        if (!seated.seat().armed() && seated.seat().earned() == null) {
            // Once, for the case that it is named before long: then it leads without waiting for a beat.
            turn.emit(new Command.Beat());
        }
    }

    static void following(Turn turn, Following following, Command.Send to, Reply reply) {
        if (to.about() != About.PREDECESSOR || reply.ambiguous()) {
            return;
        }
        if (reply.ok()) {
            String beat = beatOf(reply.data(), turn.view);
            turn.stage = new Following(
                    following.seat(),
                    following.flight(),
                    new Predecessor(following.predecessor().path(), beat, true),
                    following.idleSince());
            if (blocks(following, reply.stat(), turn.view)) {
                turn.fail(new ElectionException(
                        "Blocked by %s, created %s by session 0x%x (0x0: by hand): it is ahead in the queue and does not lead. Delete it if nothing needs it"
                                .formatted(
                                        to.request().path(),
                                        Instant.ofEpochMilli(reply.stat().getCtime()),
                                        reply.stat().getEphemeralOwner())));
            } else {
                turn.allIsWell();
            }
        } else if (reply.noNode()) {
            evaluate(turn, following);
        } else {
            turn.fail(new ElectionException(
                    "Cannot watch %s: %s".formatted(to.request().path(), Explain.code(reply.code()))));
        }
    }

    /** Only what lies beside our own beat is watched as one: anybody can write any path there. */
    private static String beatOf(byte[] data, View view) {
        String beat = CandidateData.parse(data).beat();
        String folder = Paths.parent(view.beat());
        // The same string for all elections that follow that connection's.
        return Paths.parent(beat).equals(folder) ? beat.intern() : "";
    }

    /** First in the queue for longer than whatever it may be waiting for, and not leading. */
    private static boolean blocks(Following following, Stat predecessor, View view) {
        Moment idleSince = following.idleSince();
        return predecessor.getEphemeralOwner() == 0
                || idleSince != null && !idleSince.within(2 * view.sessionTimeout(), view.now());
    }

    private static void await(Turn turn, Evaluating evaluating, Listing listing, Verdict.Wait wait) {
        Waiting waited = evaluating.waited();
        long until = wait.until();
        if (waited != null && waited.version() == wait.version() && waited.until() - until < 0) {
            until = waited.until();
        }
        if (until - turn.view.now().nanos() <= 0) {
            claim(turn, evaluating, listing, wait.version());
        } else {
            long flight = turn.nextFlight();
            Seat seat = evaluating.seat();
            turn.stage = new Waiting(seat, flight, listing, wait.version(), until);
            turn.arm(seat);
            // Whoever held it may yet release it.
            turn.send(About.RECORD, flight, new Request.Get(turn.setting.record(), true));
            turn.emit(new Command.Wake(flight, until));
        }
    }

    /** The record as it is now that a change of it will be told. */
    static void waiting(Turn turn, Waiting waiting, Command.Send to, Reply reply) {
        int version = reply.noNode() ? Verdict.NO_RECORD : reply.stat().getVersion();
        if (to.about() == About.RECORD && (reply.ok() || reply.noNode()) && version != waiting.version()) {
            evaluate(turn, waiting);
        }
    }

    /** Leads if our node is there and nobody else wrote the record meanwhile; the beat in it makes the claim visible. */
    static void claim(Turn turn, Seated seated, Listing listing, int version) {
        Seat seat = seated.seat();
        long flight = turn.nextFlight();
        long lease = turn.view.lease();
        turn.stage = new Claiming(seat, flight, listing, version, turn.view.now(), lease);
        byte[] held = LeaderRecord.held(seat.node(), seat.czxid(), lease).toJson();
        String record = turn.setting.record();
        turn.send(
                About.CLAIM,
                flight,
                new Request.Multi(List.of(
                        new Request.Check(seat.path()),
                        version == Verdict.NO_RECORD
                                ? new Request.Create(record, held, CreateMode.PERSISTENT)
                                : new Request.Set(record, held, version),
                        new Request.Set(turn.view.beat(), Request.NO_DATA, -1))));
    }

    static void claiming(Turn turn, Claiming claiming, Command.Send to, Reply reply) {
        if (to.about() != About.CLAIM || reply.ambiguous()) {
            return;
        }
        if (reply.ok()) {
            Seat seat = claiming.seat().earn(claiming.sent());
            int version = claiming.version() + 1;
            Reign.named(turn, claiming.with(seat), claiming.listing(), version, claiming.lease());
        } else if (reply.code() == Code.BADVERSION || reply.code() == Code.NODEEXISTS) {
            evaluate(turn, claiming);
        } else {
            Evaluating again = Evaluating.of(claiming.seat(), claiming.flight());
            if (reply.noNode()) {
                // Ours, the record or the beat: which one it is we see when we look again.
                turn.emit(new Command.MakeBeat());
                turn.stage = again;
                turn.pause(claiming.flight());
            } else {
                turn.tryAgainLater(again, claiming.flight(), to, reply);
            }
        }
    }
}
