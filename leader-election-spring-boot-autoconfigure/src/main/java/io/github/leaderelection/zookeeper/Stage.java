package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Role;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Where an election of this process stands. A stage's {@code flight} tells which answers and timers belong to it. */
sealed interface Stage {

    Role role();

    /** Whether the election is over for everyone, as far as is known here. */
    default boolean ended() {
        return false;
    }

    /** How many candidates there were when they were last listed, where that is known. */
    default OptionalInt candidates() {
        return OptionalInt.empty();
    }

    /** Not nominated. */
    record Observing() implements Stage {
        @Override
        public Role role() {
            return Role.OBSERVER;
        }
    }

    /**
     * Nominated, and waiting for a session, for its turn, or for the end of a pause.
     *
     * @param strays whether the server may still have a node of ours, of a session that is over for us
     */
    record Awaiting(long flight, boolean strays) implements Stage {

        Awaiting(long flight) {
            this(flight, false);
        }

        /** Whether it awaits with a node left behind. */
        static boolean strays(Stage stage) {
            return stage instanceof Awaiting awaiting && awaiting.strays;
        }

        @Override
        public Role role() {
            return Role.CANDIDATE;
        }
    }

    /**
     * The create is under way, and the first look after it.
     *
     * @param making what is being made as well
     * @param obstacle what kept it from being made
     */
    record Joining(
            Candidacy candidacy,
            long flight,
            Making making,
            @Nullable String obstacle) implements Stage {

        enum Making {
            NOTHING,
            /** The election's node; mostly what it lies under is there. */
            ELECTION,
            ANCESTORS
        }

        @Override
        public Role role() {
            return Role.CANDIDATE;
        }
    }

    /** The answer to the create was lost: is there a node with our GUID? */
    record Recovering(
            Candidacy candidacy, long flight, @Nullable String found) implements Stage {
        @Override
        public Role role() {
            return Role.CANDIDATE;
        }
    }

    /** Those that have a node. */
    sealed interface Seated extends Stage {
        Seat seat();

        Seated with(Seat seat);

        /** Behind whom it is, also while that is merely being checked. */
        default @Nullable Following followed() {
            return null;
        }

        /** The wait it is in, or was in when it began to look again. */
        default @Nullable Waiting waited() {
            return null;
        }

        @Override
        default Role role() {
            return Role.CANDIDATE;
        }
    }

    /**
     * Cut off from ZooKeeper, or about to look again: nothing is known but our own node's name.
     *
     * @param waited what it was waiting for when the connection was lost
     */
    record Detached(Seat seat, long flight, @Nullable Waiting waited) implements Seated {
        @Override
        public Detached with(Seat seat) {
            return new Detached(seat, flight, waited);
        }
    }

    /**
     * Reading the queue and the record.
     *
     * @param last the predecessor that was watched until now, if its lease was observed all along
     * @param checking the place of a follower that is merely being checked
     * @param waited an earlier wait, which counts if nothing has changed since
     */
    record Evaluating(
            Seat seat,
            long flight,
            Findings found,
            @Nullable Predecessor last,
            @Nullable Following checking,
            @Nullable Waiting waited)
            implements Seated {

        static Evaluating of(Seat seat, long flight) {
            return new Evaluating(seat, flight, Findings.NONE, null, null, null);
        }

        @Override
        public Evaluating with(Seat seat) {
            return new Evaluating(seat, flight, found, last, checking, waited);
        }

        Evaluating with(Findings found) {
            return new Evaluating(seat, flight, found, last, checking, waited);
        }

        Evaluating on(long flight) {
            return new Evaluating(seat, flight, Findings.NONE, last, checking, waited);
        }

        @Override
        public @Nullable Following followed() {
            return checking != null ? checking.with(seat) : null;
        }

        @Override
        public Role role() {
            return checking != null ? Role.FOLLOWER : Role.CANDIDATE;
        }

        @Override
        public OptionalInt candidates() {
            Listing listing = found.listing();
            return listing == null
                    ? OptionalInt.empty()
                    : OptionalInt.of(listing.queue().size());
        }
    }

    /**
     * Its predecessor is gone. Whoever leaves in good order names its heir, so the record is read first, and alone.
     *
     * @param last that predecessor
     */
    record Succeeding(Seat seat, long flight, Predecessor last) implements Seated {
        @Override
        public Succeeding with(Seat seat) {
            return new Succeeding(seat, flight, last);
        }
    }

    /**
     * Behind another candidate, which is watched.
     *
     * @param idleSince since when that one is known to be first and not to lead; null if it is not
     */
    record Following(
            Seat seat,
            long flight,
            Predecessor predecessor,
            @Nullable Moment idleSince) implements Seated {
        @Override
        public Following with(Seat seat) {
            return new Following(seat, flight, predecessor, idleSince);
        }

        @Override
        public Following followed() {
            return this;
        }

        /** Whether all is as it should be while another one leads, and both watches are known to be set. */
        boolean isSettled() {
            return seat.armed() && predecessor.watched() && idleSince == null;
        }

        @Override
        public Role role() {
            return Role.FOLLOWER;
        }
    }

    /**
     * First in the queue, and waiting until nobody before can still believe itself to be the leader.
     *
     * @param until when that is, by the monotonic clock
     */
    record Waiting(Seat seat, long flight, Listing listing, int version, long until) implements Seated {
        @Override
        public Waiting with(Seat seat) {
            return new Waiting(seat, flight, listing, version, until);
        }

        @Override
        public Waiting waited() {
            return this;
        }
    }

    /** First, and writing itself into the record. */
    record Claiming(Seat seat, long flight, Listing listing, int version, Moment sent, long lease) implements Seated {
        @Override
        public Claiming with(Seat seat) {
            return new Claiming(seat, flight, listing, version, sent, lease);
        }
    }

    /**
     * The record names our node; as soon as a beat proves that it is there, it leads.
     *
     * @param granted the lease that the record tells everyone
     */
    record Named(Seat seat, Listing listing, int version, long granted) implements Seated {
        @Override
        public Named with(Seat seat) {
            return new Named(seat, listing, version, granted);
        }
    }

    /**
     * Leads, as long as beats are acknowledged.
     *
     * @param granted the lease that the record tells everyone
     * @param lease the lease it goes by: never longer than that
     */
    record Leading(
            Seat seat, long flight, Succession succession, int version, long granted, long lease, long term, long since)
            implements Seated {
        @Override
        public Leading with(Seat seat) {
            return new Leading(seat, flight, succession, version, granted, lease, term, since);
        }

        Leading with(Succession succession) {
            return new Leading(seat, flight, succession, version, granted, lease, term, since);
        }

        Leading renewed(Moment sent, long lease) {
            return new Leading(seat.earn(sent), flight, succession, version, granted, lease, term, since);
        }

        @Override
        public Role role() {
            return Role.LEADER;
        }

        @Override
        public OptionalInt candidates() {
            return succession.isKnown() ? OptionalInt.of(succession.candidates()) : OptionalInt.empty();
        }

        boolean isValid(Moment now) {
            return isValid(now.nanos(), now.millis());
        }

        boolean isValid(long nowNanos, long nowMillis) {
            Moment earned = seat.earned();
            return earned != null && earned.within(lease, nowNanos, nowMillis);
        }

        /** When the lease is over unless it is renewed, by the monotonic clock. */
        long leaseEnd() {
            Moment earned = seat.earned();
            if (earned == null) {
                throw new IllegalStateException("Leads without a proof: " + this);
            }
            return earned.nanosAfter(lease);
        }
    }

    /**
     * Its node is gone: lost, or has the election ended?
     *
     * @param term the term that ended with it and is still to be told; 0 if there is none
     */
    record Unseated(Seat seat, long flight, long term) implements Stage {
        @Override
        public Role role() {
            return Role.CANDIDATE;
        }
    }

    /** Those on their way out, never to lead again on that candidacy. */
    sealed interface Outgoing extends Stage {
        /** What comes next; it may be changed as long as it is not final. */
        Departure then();

        Outgoing then(Departure then);

        @Override
        default Role role() {
            return then().role();
        }

        @Override
        default boolean ended() {
            return then() == Departure.END;
        }
    }

    /**
     * Has a node, or may have one, that has to go.
     *
     * @param seat its node, if it is known whether there is one
     * @param succession who comes after it; null if it did not lead
     * @param listing the queue, once that was read to see what is left to be done
     * @param term the term that is being drained; 0 if there is none
     */
    record Leaving(
            Candidacy candidacy,
            @Nullable Seat seat,
            long flight,
            Phase phase,
            Departure then,
            @Nullable Succession succession,
            @Nullable Listing listing,
            int version,
            long term)
            implements Outgoing {

        /** Leaves without leading. */
        Leaving(Seat seat, Phase phase, Departure then, long term) {
            this(seat.candidacy(), seat, 0, phase, then, null, null, 0, term);
        }

        /** Leads no more. */
        Leaving(Leading leading, Departure then) {
            this(
                    leading.seat().candidacy(),
                    leading.seat(),
                    0,
                    Phase.DRAINING,
                    then,
                    leading.succession(),
                    null,
                    leading.version(),
                    leading.term());
        }

        enum Phase {
            DRAINING,
            /** Reading what is left to be done. */
            LOOKING,
            HANDING_OVER,
            DELETING,
            /** Its node is gone, but the record names it. */
            RELEASING,
            /** No connection, or a pause after a failure. */
            PARKED
        }

        Leaving to(Phase phase, long flight) {
            return new Leaving(candidacy, seat, flight, phase, then, succession, listing, version, term);
        }

        Leaving drained() {
            return new Leaving(candidacy, seat, flight, phase, then, succession, listing, version, 0);
        }

        @Override
        public Leaving then(Departure then) {
            return new Leaving(candidacy, seat, flight, phase, then, succession, listing, version, term);
        }

        Leaving with(Seat seat) {
            return new Leaving(candidacy, seat, flight, phase, then, succession, listing, version, term);
        }

        Leaving with(Succession succession) {
            return new Leaving(candidacy, seat, flight, phase, then, succession, listing, version, term);
        }

        Leaving with(Listing listing) {
            return new Leaving(candidacy, seat, flight, phase, then, succession, listing, version, term);
        }
    }

    /**
     * Has nothing left in ZooKeeper that it could take away; but what its last term admitted may still be running.
     *
     * @param confirmed whether its node is known to be gone
     * @param term the term to drain
     */
    record Retiring(Departure then, boolean confirmed, long term) implements Outgoing {
        @Override
        public Retiring then(Departure then) {
            return new Retiring(then, confirmed, term);
        }
    }

    /** Nominated for an election that has ended: what is left of it is cleared away first. */
    record Clearing() implements Stage {
        @Override
        public Role role() {
            return Role.CANDIDATE;
        }
    }

    /**
     * Over for this process.
     *
     * @param ended whether the election has ended for everyone
     */
    record Closed(boolean ended) implements Stage {
        @Override
        public Role role() {
            return Role.CLOSED;
        }
    }
}
