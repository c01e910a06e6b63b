package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.Successor;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Where an election of this process stands. A stage's {@code requestId} tells which answers and timers belong to it. */
public sealed interface State {

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
    record Observing() implements State {
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
    record Pending(long requestId, boolean strays) implements State {

        Pending(long requestId) {
            this(requestId, false);
        }

        /** Whether it awaits with a node left behind. */
        static boolean strays(State state) {
            return state instanceof Pending pending && pending.strays;
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
            long requestId,
            Making making,
            @Nullable String obstacle) implements State {

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
            Candidacy candidacy, long requestId, @Nullable String found) implements State {
        @Override
        public Role role() {
            return Role.CANDIDATE;
        }
    }

    /** Those that have a node. */
    sealed interface Queued extends State {
        CandidateNode ownNode();

        Queued with(CandidateNode ownNode);

        /** Behind whom it is, also while that is merely being checked. */
        default @Nullable Following followed() {
            return null;
        }

        /** The wait it is in, or was in when it began to look again. */
        default @Nullable AwaitingLeaseEnd waited() {
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
    record Detached(
            CandidateNode ownNode, long requestId, @Nullable AwaitingLeaseEnd waited) implements Queued {
        @Override
        public Detached with(CandidateNode ownNode) {
            return new Detached(ownNode, requestId, waited);
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
            CandidateNode ownNode,
            long requestId,
            QueueReads found,
            @Nullable Predecessor last,
            @Nullable Following checking,
            @Nullable AwaitingLeaseEnd waited)
            implements Queued {

        static Evaluating of(CandidateNode ownNode, long requestId) {
            return new Evaluating(ownNode, requestId, QueueReads.NONE, null, null, null);
        }

        @Override
        public Evaluating with(CandidateNode ownNode) {
            return new Evaluating(ownNode, requestId, found, last, checking, waited);
        }

        Evaluating with(QueueReads found) {
            return new Evaluating(ownNode, requestId, found, last, checking, waited);
        }

        Evaluating on(long requestId) {
            return new Evaluating(ownNode, requestId, QueueReads.NONE, last, checking, waited);
        }

        @Override
        public @Nullable Following followed() {
            return checking != null ? checking.with(ownNode) : null;
        }

        @Override
        public Role role() {
            return checking != null ? Role.FOLLOWER : Role.CANDIDATE;
        }

        @Override
        public OptionalInt candidates() {
            CandidateQueue queue = found.queue();
            return queue == null
                    ? OptionalInt.empty()
                    : OptionalInt.of(queue.nodes().size());
        }
    }

    /**
     * Its predecessor is gone. Whoever leaves in good order names its heir, so the record is read first, and alone.
     *
     * @param last that predecessor
     */
    record Succeeding(CandidateNode ownNode, long requestId, Predecessor last) implements Queued {
        @Override
        public Succeeding with(CandidateNode ownNode) {
            return new Succeeding(ownNode, requestId, last);
        }
    }

    /**
     * Behind another candidate, which is watched.
     *
     * @param idleSince since when that one is known to be first and not to lead; null if it is not
     */
    record Following(
            CandidateNode ownNode,
            long requestId,
            Predecessor predecessor,
            @Nullable Moment idleSince) implements Queued {
        @Override
        public Following with(CandidateNode ownNode) {
            return new Following(ownNode, requestId, predecessor, idleSince);
        }

        @Override
        public Following followed() {
            return this;
        }

        /** Whether all is as it should be while another one leads, and both watches are known to be set. */
        boolean isSettled() {
            return ownNode.armed() && predecessor.watched() && idleSince == null;
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
    record AwaitingLeaseEnd(CandidateNode ownNode, long requestId, CandidateQueue queue, int version, long until)
            implements Queued {
        @Override
        public AwaitingLeaseEnd with(CandidateNode ownNode) {
            return new AwaitingLeaseEnd(ownNode, requestId, queue, version, until);
        }

        @Override
        public AwaitingLeaseEnd waited() {
            return this;
        }
    }

    /** First, and writing itself into the record. */
    record Claiming(CandidateNode ownNode, long requestId, CandidateQueue queue, int version, Moment sent, long lease)
            implements Queued {
        @Override
        public Claiming with(CandidateNode ownNode) {
            return new Claiming(ownNode, requestId, queue, version, sent, lease);
        }
    }

    /**
     * The record names our node; as soon as a beat proves that it is there, it leads.
     *
     * @param granted the lease that the record tells everyone
     */
    record Named(CandidateNode ownNode, CandidateQueue queue, int version, long granted) implements Queued {
        @Override
        public Named with(CandidateNode ownNode) {
            return new Named(ownNode, queue, version, granted);
        }
    }

    /**
     * Leads, as long as beats are acknowledged.
     *
     * @param granted the lease that the record tells everyone
     * @param lease the lease it goes by: never longer than that
     */
    record Leading(
            CandidateNode ownNode,
            long requestId,
            Successor successor,
            int version,
            long granted,
            long lease,
            long term,
            long since)
            implements Queued {
        @Override
        public Leading with(CandidateNode ownNode) {
            return new Leading(ownNode, requestId, successor, version, granted, lease, term, since);
        }

        Leading with(Successor successor) {
            return new Leading(ownNode, requestId, successor, version, granted, lease, term, since);
        }

        Leading renewed(Moment sent, long lease) {
            return new Leading(ownNode.prove(sent), requestId, successor, version, granted, lease, term, since);
        }

        @Override
        public Role role() {
            return Role.LEADER;
        }

        @Override
        public OptionalInt candidates() {
            return successor.isKnown() ? OptionalInt.of(successor.candidates()) : OptionalInt.empty();
        }

        public boolean isValid(Moment now) {
            return isValid(now.nanos(), now.millis());
        }

        public boolean isValid(long nowNanos, long nowMillis) {
            Moment provenAt = ownNode.provenAt();
            return provenAt != null && provenAt.within(lease, nowNanos, nowMillis);
        }

        /** When the lease is over unless it is renewed, by the monotonic clock. */
        public long leaseEnd() {
            Moment provenAt = ownNode.provenAt();
            if (provenAt == null) {
                throw new IllegalStateException("Leads without a proof: " + this);
            }
            return provenAt.nanosAfter(lease);
        }
    }

    /**
     * Its node is gone: lost, or has the election ended?
     *
     * @param term the term that ended with it and is still to be told; 0 if there is none
     */
    record NodeLost(CandidateNode ownNode, long requestId, long term) implements State {
        @Override
        public Role role() {
            return Role.CANDIDATE;
        }
    }

    /** Those on their way out, never to lead again on that candidacy. */
    sealed interface Outgoing extends State {
        /** What comes next; it may be changed as long as it is not final. */
        AfterLeaving then();

        Outgoing then(AfterLeaving then);

        @Override
        default Role role() {
            return then().role();
        }

        @Override
        default boolean ended() {
            return then() == AfterLeaving.END;
        }
    }

    /**
     * Has a node, or may have one, that has to go.
     *
     * @param ownNode its node, if it is known whether there is one
     * @param successor who comes after it; null if it did not lead
     * @param queue the queue, once that was read to see what is left to be done
     * @param term the term that is being drained; 0 if there is none
     */
    record Leaving(
            Candidacy candidacy,
            @Nullable CandidateNode ownNode,
            long requestId,
            Phase phase,
            AfterLeaving then,
            @Nullable Successor successor,
            @Nullable CandidateQueue queue,
            int version,
            long term)
            implements Outgoing {

        /** Leaves without leading. */
        Leaving(CandidateNode ownNode, Phase phase, AfterLeaving then, long term) {
            this(ownNode.candidacy(), ownNode, 0, phase, then, null, null, 0, term);
        }

        /** Leads no more. */
        Leaving(Leading leading, AfterLeaving then) {
            this(
                    leading.ownNode().candidacy(),
                    leading.ownNode(),
                    0,
                    Phase.DRAINING,
                    then,
                    leading.successor(),
                    null,
                    leading.version(),
                    leading.term());
        }

        public enum Phase {
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

        Leaving to(Phase phase, long requestId) {
            return new Leaving(candidacy, ownNode, requestId, phase, then, successor, queue, version, term);
        }

        Leaving drained() {
            return new Leaving(candidacy, ownNode, requestId, phase, then, successor, queue, version, 0);
        }

        @Override
        public Leaving then(AfterLeaving then) {
            return new Leaving(candidacy, ownNode, requestId, phase, then, successor, queue, version, term);
        }

        Leaving with(CandidateNode ownNode) {
            return new Leaving(candidacy, ownNode, requestId, phase, then, successor, queue, version, term);
        }

        Leaving with(Successor successor) {
            return new Leaving(candidacy, ownNode, requestId, phase, then, successor, queue, version, term);
        }

        Leaving with(CandidateQueue queue) {
            return new Leaving(candidacy, ownNode, requestId, phase, then, successor, queue, version, term);
        }
    }

    /**
     * Has nothing left in ZooKeeper that it could take away; but what its last term admitted may still be running.
     *
     * @param confirmed whether its node is known to be gone
     * @param term the term to drain
     */
    record Draining(AfterLeaving then, boolean confirmed, long term) implements Outgoing {
        @Override
        public Draining then(AfterLeaving then) {
            return new Draining(then, confirmed, term);
        }
    }

    /** Nominated for an election that has ended: what is left of it is cleared away first. */
    record Clearing() implements State {
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
    record Closed(boolean ended) implements State {
        @Override
        public Role role() {
            return Role.CLOSED;
        }
    }
}
