package io.github.leaderelection.zookeeper.protocol;

import static io.github.leaderelection.zookeeper.protocol.Fixture.*;

import io.github.leaderelection.support.MoveCause;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.protocol.Joining.Parents;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import java.util.HashMap;
import java.util.Map;
import org.apache.zookeeper.data.Stat;

/**
 * The states of the rows. Each begins as it usually is, with its watches set and its request awaited; settings return a
 * changed copy.
 */
final class States {

    private States() {}

    // without a node

    /** Waits for a session. */
    static Pending pending() {
        return pending(NO_REQUEST);
    }

    static Pending pending(long requestId) {
        return new Pending(requestId, false);
    }

    /** The server may still have the node of an earlier session. */
    static Pending pendingWithNodeLeftBehind(long requestId) {
        return new Pending(requestId, true);
    }

    static Joining joining() {
        return joining(Parents.NONE);
    }

    static Joining joining(Parents creating) {
        return new Joining(CANDIDACY, REQUEST, creating, null);
    }

    /** The given candidacy has just sent its create. */
    static Joining joiningAs(Candidacy candidacy) {
        return new Joining(candidacy, NEXT, Parents.NONE, null);
    }

    static Joining joiningWithParents(Parents creating) {
        return new Joining(CANDIDACY, NEXT, creating, null);
    }

    static Recovering recovering(long requestId) {
        return new Recovering(CANDIDACY, requestId, null);
    }

    static Recovering recovering(long requestId, String found) {
        return new Recovering(CANDIDACY, requestId, found);
    }

    // with a node

    /** A state with a node of its own. */
    abstract static class WithNode<B extends WithNode<B>> extends Fluent<B> {

        int version = DATA_VERSION;
        boolean armed = true;
        Moment provenAt;
        long requestId = REQUEST;

        B armed() {
            return with(copy -> copy.armed = true);
        }

        B unarmed() {
            return with(copy -> copy.armed = false);
        }

        /** Our data was last seen in that version. */
        B dataVersion(int version) {
            return with(copy -> copy.version = version);
        }

        B provenAt(Moment sent) {
            return with(copy -> copy.provenAt = sent);
        }

        B awaiting(long requestId) {
            return with(copy -> copy.requestId = requestId);
        }

        CandidateNode ownNode() {
            return new CandidateNode(path(ME), SESSION, MY_CZXID, NOW.millis(), version, armed, provenAt);
        }
    }

    static DetachedBuilder detached() {
        return new DetachedBuilder().unarmed().awaiting(NO_REQUEST);
    }

    static final class DetachedBuilder extends WithNode<DetachedBuilder> implements Row.StateBuilder {

        private AwaitingLeaseEnd waited;

        DetachedBuilder waited(AwaitingLeaseEndBuilder waited) {
            return with(copy -> copy.waited = waited.build());
        }

        @Override
        public Detached build() {
            return new Detached(ownNode(), requestId, waited);
        }
    }

    static EvaluatingBuilder evaluating() {
        return new EvaluatingBuilder();
    }

    static final class EvaluatingBuilder extends WithNode<EvaluatingBuilder> implements Row.StateBuilder {

        private CandidateQueue queue;
        private Reply record;
        private Map<String, Stat> stats = Map.of();
        private Predecessor last;
        private Following checking;
        private AwaitingLeaseEnd waited;
        private Claim unlisted;

        EvaluatingBuilder listed(String... nodes) {
            return listed(queue(nodes));
        }

        EvaluatingBuilder listed(CandidateQueue queue) {
            return with(copy -> copy.queue = queue);
        }

        EvaluatingBuilder record(Reply record) {
            return with(copy -> copy.record = record);
        }

        EvaluatingBuilder stat(String path, Stat stat) {
            Map<String, Stat> more = new HashMap<>(stats);
            more.put(path, stat);
            return with(copy -> copy.stats = more);
        }

        /** The holder whose heir it was until now. */
        EvaluatingBuilder last(Predecessor last) {
            return with(copy -> copy.last = last);
        }

        /** Merely verifies the place of that follower. */
        EvaluatingBuilder verifying(FollowingBuilder following) {
            Following place = following.build();
            return last(place.observed()).with(copy -> copy.checking = place);
        }

        /** An earlier list has not shown the holder of that record. */
        EvaluatingBuilder confirming(Claim unlisted) {
            return with(copy -> copy.unlisted = unlisted);
        }

        EvaluatingBuilder waited(AwaitingLeaseEndBuilder waited) {
            return with(copy -> copy.waited = waited.build());
        }

        @Override
        public Evaluating build() {
            return new Evaluating(
                    ownNode(), requestId, new Evaluating.Reads(queue, record, stats), last, checking, waited, unlisted);
        }
    }

    static FollowingBuilder following() {
        return new FollowingBuilder();
    }

    static final class FollowingBuilder extends WithNode<FollowingBuilder> implements Row.StateBuilder {

        private Predecessor predecessor = OTHER;
        private Moment idleSince;
        private Claim inheritance;

        FollowingBuilder behind(Predecessor predecessor) {
            return with(copy -> copy.predecessor = predecessor);
        }

        /** The predecessor holds the record, and has chosen us as its heir. */
        FollowingBuilder asHeir() {
            return with(copy -> copy.inheritance = INHERITANCE);
        }

        /** The predecessor is first, and does not lead. */
        FollowingBuilder idleSince(Moment since) {
            return with(copy -> copy.idleSince = since);
        }

        @Override
        public Following build() {
            return new Following(ownNode(), requestId, predecessor, idleSince, inheritance);
        }
    }

    static AwaitingLeaseEndBuilder awaitingLeaseEnd(long millis) {
        return new AwaitingLeaseEndBuilder(millis);
    }

    static final class AwaitingLeaseEndBuilder extends WithNode<AwaitingLeaseEndBuilder> implements Row.StateBuilder {

        private final long millis;
        private CandidateQueue queue = queue(ME);
        private Claim claim = RECORD;

        AwaitingLeaseEndBuilder(long millis) {
            this.millis = millis;
        }

        AwaitingLeaseEndBuilder listed(String... nodes) {
            return listed(queue(nodes));
        }

        AwaitingLeaseEndBuilder listed(CandidateQueue queue) {
            return with(copy -> copy.queue = queue);
        }

        AwaitingLeaseEndBuilder claim(Claim claim) {
            return with(copy -> copy.claim = claim);
        }

        @Override
        public AwaitingLeaseEnd build() {
            return new AwaitingLeaseEnd(ownNode(), requestId, queue, claim, NOW.nanos() + millis * 1_000_000);
        }
    }

    /** Has sent its claim a moment ago. */
    static ClaimingBuilder claiming() {
        return new ClaimingBuilder();
    }

    /** Has just sent its claim. */
    static ClaimingBuilder claimingNow() {
        return claiming().awaiting(NEXT).sentAt(NOW);
    }

    static final class ClaimingBuilder extends WithNode<ClaimingBuilder> implements Row.StateBuilder {

        private CandidateQueue queue = queue(ME);
        private Claim claim = RECORD;
        private Moment sent = RECENTLY;

        ClaimingBuilder listed(String... nodes) {
            return listed(queue(nodes));
        }

        ClaimingBuilder listed(CandidateQueue queue) {
            return with(copy -> copy.queue = queue);
        }

        ClaimingBuilder claim(Claim claim) {
            return with(copy -> copy.claim = claim);
        }

        ClaimingBuilder sentAt(Moment sent) {
            return with(copy -> copy.sent = sent);
        }

        @Override
        public Claiming build() {
            return new Claiming(ownNode(), requestId, queue, claim, sent, LEASE);
        }
    }

    /** Has sent the transaction that replaces the holder a moment ago. */
    static TakingOverBuilder takingOver() {
        return new TakingOverBuilder();
    }

    static final class TakingOverBuilder extends WithNode<TakingOverBuilder> implements Row.StateBuilder {

        private Moment sent = RECENTLY;

        TakingOverBuilder sentAt(Moment sent) {
            return with(copy -> copy.sent = sent);
        }

        @Override
        public TakingOver build() {
            return new TakingOver(ownNode(), requestId, OTHER, INHERITANCE, sent, LEASE);
        }
    }

    static NamedBuilder named() {
        return new NamedBuilder();
    }

    static final class NamedBuilder extends WithNode<NamedBuilder> implements Row.StateBuilder {

        private CandidateQueue queue = queue(ME);
        private Holding holding = new Holding(VERSION, TOKEN, OTHERS_LEASE, "", false);

        NamedBuilder listed(String... nodes) {
            return listed(queue(nodes));
        }

        NamedBuilder listed(CandidateQueue queue) {
            return with(copy -> copy.queue = queue);
        }

        NamedBuilder holding(int version, long token) {
            return with(copy -> copy.holding = new Holding(version, token, holding.lease(), holding.heir(), false));
        }

        NamedBuilder granted(long lease) {
            return with(copy ->
                    copy.holding = new Holding(holding.version(), holding.token(), lease, holding.heir(), false));
        }

        NamedBuilder withHeir(String heir) {
            return with(copy ->
                    copy.holding = new Holding(holding.version(), holding.token(), holding.lease(), heir, false));
        }

        @Override
        public Named build() {
            return new Named(ownNode(), queue, holding);
        }
    }

    /** Leads in its third term, and has appointed its heir. */
    static LeadingBuilder leading() {
        return new LeadingBuilder().provenAt(RECENTLY);
    }

    /** Leads in its first term, which has just begun, and has not appointed its heir. */
    static LeadingBuilder leadingNow() {
        return leading().awaiting(NEXT).appointed("").with(copy -> copy.term = 1);
    }

    static final class LeadingBuilder extends WithNode<LeadingBuilder> implements Row.StateBuilder {

        private Succession succession = HEIR;
        private int version = VERSION;
        private long token = TOKEN;
        private long granted = LEASE;
        private String appointed = AFTER;
        private boolean requested;
        private long lease = LEASE;
        private long term = 3;

        LeadingBuilder succession(Succession succession) {
            return with(copy -> copy.succession = succession);
        }

        /** The version of the record, and the token in it. */
        LeadingBuilder holding(int version, long token) {
            return with(copy -> {
                copy.version = version;
                copy.token = token;
            });
        }

        /** The heir in the record; empty if there is none. */
        LeadingBuilder appointed(String heir) {
            return with(copy -> copy.appointed = heir);
        }

        /** A client has asked for this term. */
        LeadingBuilder requested() {
            return with(copy -> copy.requested = true);
        }

        /** The lease in the record, and the one it goes by. */
        LeadingBuilder leases(long granted, long lease) {
            return with(copy -> {
                copy.granted = granted;
                copy.lease = lease;
            });
        }

        @Override
        public Leading build() {
            var holding = new Holding(version, token, granted, appointed, requested);
            return new Leading(ownNode(), requestId, holding, succession, lease, term, NOW.millis());
        }
    }

    /** @param term the term that ended with the node; 0 if there is none */
    static NodeLostBuilder nodeLost(long term) {
        return new NodeLostBuilder(term);
    }

    static final class NodeLostBuilder extends WithNode<NodeLostBuilder> implements Row.StateBuilder {

        private final long term;

        NodeLostBuilder(long term) {
            this.term = term;
        }

        @Override
        public NodeLost build() {
            return new NodeLost(ownNode(), requestId, term);
        }
    }

    // on the way out

    static LeavingBuilder leaving(AfterLeaving then) {
        return new LeavingBuilder(then);
    }

    static final class LeavingBuilder extends WithNode<LeavingBuilder> {

        private Move move;

        private AfterLeaving then;
        private boolean nodeKnown = true;
        private long term;

        LeavingBuilder(AfterLeaving then) {
            this.then = then;
        }

        /** It is not known whether there is a node. */
        LeavingBuilder withoutNode() {
            return with(copy -> copy.nodeKnown = false);
        }

        /** It leaves in favour of that candidate. */
        LeavingBuilder moving(MoveCause cause, String to) {
            return with(copy -> copy.move = new Move(cause, to, "other"));
        }

        /** That term has not drained yet. */
        LeavingBuilder undrained(long term) {
            return with(copy -> copy.term = term);
        }

        private Leaving.Departure departure() {
            return new Leaving.Departure(CANDIDACY, nodeKnown ? ownNode() : null, then, term, move);
        }

        /** Drains a term that it did not end by leaving. */
        Draining draining() {
            return new Draining(departure(), null);
        }

        /** Drains the term that it has ended. */
        Draining draining(LeadingBuilder led) {
            return new Draining(departure(), led.build());
        }

        /** The same, to hand over to another candidate than the heir. */
        Draining draining(LeadingBuilder led, HandingOver.Plan chosen) {
            return new Draining(departure(), led.build(), chosen, NO_REQUEST);
        }

        /** The same, while the node of another candidate than the heir is read. */
        Draining reading(long requestId, LeadingBuilder led) {
            return new Draining(departure(), led.build(), null, requestId);
        }

        Inspecting inspecting() {
            return new Inspecting(departure(), requestId, null);
        }

        Inspecting inspecting(CandidateQueue queue) {
            return new Inspecting(departure(), requestId, queue);
        }

        HandingOver handingOver() {
            return new HandingOver(departure(), requestId, true);
        }

        HandingOver handingOverWithoutHeir() {
            return new HandingOver(departure(), requestId, false);
        }

        Deleting deleting() {
            return new Deleting(departure(), requestId);
        }

        Releasing releasing() {
            return new Releasing(departure(), requestId);
        }

        Parked parked() {
            return new Parked(departure(), requestId);
        }
    }

    static Retiring retiring(AfterLeaving then, boolean confirmed) {
        return new Retiring(then, confirmed, 3);
    }

    static Closed closed() {
        return new Closed(false);
    }

    static Closed closedAfterEnd() {
        return new Closed(true);
    }
}
