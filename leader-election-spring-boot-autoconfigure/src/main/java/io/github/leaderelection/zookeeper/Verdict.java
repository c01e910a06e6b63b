package io.github.leaderelection.zookeeper;

import java.util.Optional;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** What a candidate is to do, by its place in the queue and by the record. */
sealed interface Verdict {

    /** The version of a record that is not there. */
    int NO_RECORD = -1;

    /** Stands in for an ancestor that could not be read. */
    Stat SOMETHING_DELETED = new Stat(1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1);

    /**
     * Wait behind another candidate.
     *
     * @param idle whether that one is first and does not lead
     */
    record Follow(String predecessor, boolean idle) implements Verdict {}

    record Claim(int version) implements Verdict {}

    /** Claim, but not before the given time of the monotonic clock. */
    record Wait(long until, int version) implements Verdict {}

    /** The record names our own node: lead, as long as beats are acknowledged. */
    record Lead(int version, long lease) implements Verdict {}

    /** It takes the Stat of the election node, or of this ancestor, to tell. */
    record Ask(String node) implements Verdict {}

    /**
     * Leave, and join afresh at the end of the queue.
     *
     * @param vain whether that will not help: the record's token is ahead of all that this ZooKeeper has counted
     */
    record Rejoin(boolean vain) implements Verdict {}

    /** The election ended while we took part. */
    record Ended() implements Verdict {}

    /** The election had ended before we came. */
    record Clear() implements Verdict {}

    /**
     * Judges what was read.
     *
     * @param listing the queue, in order
     * @param reply the record, or that there is none
     * @param former the node on which this process last led, and surely does no more
     */
    static Verdict of(
            String election,
            Stage.Evaluating evaluating,
            Listing listing,
            Reply reply,
            @Nullable String former,
            View view) {
        Seat seat = evaluating.seat();
        String predecessor = listing.before(seat.node());
        boolean idle = predecessor != null && listing.before(predecessor) == null;
        if (reply.noNode()) {
            return predecessor != null
                    ? new Follow(predecessor, idle)
                    : missing(election, listing, evaluating.found(), seat, view);
        }
        int version = reply.stat().getVersion();
        Optional<LeaderRecord> readable = LeaderRecord.parse(reply.data());
        if (readable.isEmpty()) {
            return predecessor != null ? new Follow(predecessor, idle) : waitForAnyLease(listing, view, version);
        }
        LeaderRecord record = readable.get();
        if (record.state() == LeaderRecord.State.ENDED) {
            return reply.stat().getMzxid() > seat.czxid() ? new Ended() : new Clear();
        }
        if (record.heldBy(seat.node())) {
            return new Lead(version, record.lease());
        }
        if (record.token() >= seat.czxid()) {
            // Somebody younger has led: our token would be a step back.
            return new Rejoin(record.token() > reply.stat().getMzxid());
        }
        if (predecessor != null) {
            return new Follow(predecessor, idle && !record.heldBy(predecessor));
        }
        if (record.state() == LeaderRecord.State.RELEASED || record.holder().equals(former)) {
            return new Claim(version);
        }
        if (listing.contains(record.holder())) {
            // It may lead for as long as its node is there, whatever the order of the queue.
            return new Follow(record.holder(), false);
        }
        return new Wait(after(lastRenewal(listing, record, evaluating.last(), view), record.lease()), version);
    }

    /**
     * A time after which the holder cannot have sent a beat that was acknowledged. Whoever listed us first knows that
     * the holder's node is gone; whoever saw all its beats knows when the last one came.
     */
    private static long lastRenewal(Listing listing, LeaderRecord record, @Nullable Predecessor last, View view) {
        if (last == null || !record.holder().equals(last.node())) {
            return listing.answeredAt();
        }
        long seen = view.sightings().apply(last.beat()).orElse(listing.answeredAt());
        return seen - listing.answeredAt() < 0 ? seen : listing.answeredAt();
    }

    /**
     * There is no record. If nobody can have led here a moment ago, nobody needs to be waited for: walk up to a node
     * that has been there for longer than any lease lasts; if nothing was ever deleted on the way, there was no election.
     */
    private static Verdict missing(String election, Listing listing, Findings found, Seat seat, View view) {
        String path = election;
        Stat stat = listing.stat() != null ? listing.stat() : found.stats().get(path);
        while (stat != null && !deletedFrom(stat)) {
            boolean realRoot = stat.getCzxid() == 0;
            if (realRoot || seat.ctime() - stat.getCtime() > view.sessionTimeout()) {
                return new Claim(NO_RECORD);
            }
            if (path.equals("/")) {
                return waitForAnyLease(listing, view, NO_RECORD);
            }
            path = Paths.parent(path);
            stat = found.stats().get(path);
        }
        return stat == null ? new Ask(path) : waitForAnyLease(listing, view, NO_RECORD);
    }

    /** ZooKeeper counts creates and deletes of children in cversion; the real root starts at −1 with one child. */
    private static boolean deletedFrom(Stat stat) {
        int difference = stat.getCversion() - stat.getNumChildren();
        return difference != (stat.getCzxid() == 0 ? -2 : 0);
    }

    private static Verdict waitForAnyLease(Listing listing, View view, int version) {
        return new Wait(after(listing.answeredAt(), view.sessionTimeout()), version);
    }

    /** Clock rates may differ by 10 %. */
    private static long after(long nanos, long lease) {
        return nanos + lease * 1_100_000;
    }
}
