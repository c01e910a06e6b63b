package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Reading the queue and the record, to decide what to do.
 *
 * @param last the holder whose heir this candidate was until now, and whose heartbeat it observes
 * @param checking the place of a follower that is merely being verified
 * @param waited an earlier wait, which still counts if nothing has changed since
 * @param unlisted the record whose holder an earlier list did not show; null if there is none
 */
public record Evaluating(
        CandidateNode ownNode,
        long requestId,
        Reads reads,
        @Nullable Predecessor last,
        @Nullable Following checking,
        @Nullable AwaitingLeaseEnd waited,
        @Nullable Claim unlisted)
        implements Queued {

    /** What it has read so far; {@code stats} are of ancestors or, after an overflow, of the candidates. */
    public record Reads(
            @Nullable CandidateQueue queue, @Nullable Reply record, Map<String, Stat> stats) {

        static final Reads NONE = new Reads(null, null, Map.of());

        Reads with(CandidateQueue queue) {
            return new Reads(queue, record, stats);
        }

        Reads with(Reply record) {
            return new Reads(queue, record, stats);
        }

        Reads with(String path, Stat stat) {
            Map<String, Stat> more = new HashMap<>(stats);
            more.put(path, stat);
            return new Reads(queue, record, more);
        }
    }

    static Evaluating of(CandidateNode ownNode, long requestId) {
        return new Evaluating(ownNode, requestId, Reads.NONE, null, null, null, null);
    }

    static void begin(Step step, Queued queued) {
        AwaitingLeaseEnd waited = queued.waited();
        read(step, new Evaluating(queued.ownNode(), step.nextRequestId(), Reads.NONE, null, null, waited, null));
    }

    private static void read(Step step, Evaluating evaluating) {
        step.state = evaluating;
        step.readQueueAndRecord(evaluating.requestId);
    }

    /**
     * The predecessor is gone. A leader that leaves names its heir, which therefore reads only the record, and leads
     * without another round trip if a recent heartbeat proves its node; otherwise a heartbeat goes along with the read.
     */
    static void afterPredecessor(Step step, Following following) {
        CandidateNode ownNode = following.ownNode();
        Claim inheritance = following.inheritance();
        long requestId = step.nextRequestId();
        step.arm(ownNode);
        step.state = new Evaluating(ownNode, requestId, Reads.NONE, following.observed(), null, null, null);
        if (inheritance == null) {
            step.readQueueAndRecord(requestId);
            return;
        }
        step.read(Purpose.INHERITED_RECORD, requestId, LeaderRecord.NODE);
        long fresh = Named.fresh(step.view.validity(inheritance.lease()));
        if (!ownNode.armed() || !ownNode.provenWithin(fresh, step.view.now())) {
            step.emit(new Command.SendHeartbeat());
        }
    }

    /** Verifies a follower's place; its watches are set again unless they are known to be set. */
    static void verify(Step step, Following following) {
        long requestId = step.nextRequestId();
        if (following.isSettled()) {
            step.state = verifying(following, following.ownNode(), requestId);
            step.readQueueAndRecordLeisurely(requestId);
        } else {
            CandidateNode unarmed = following.ownNode().arm(false);
            step.arm(unarmed);
            read(step, verifying(following, unarmed, requestId));
        }
    }

    /** Verifies a follower's place soon: a leader that hands over has touched us, and its successor goes first. */
    static void verifySoon(Step step, Following following) {
        long requestId = step.nextRequestId();
        step.state = verifying(following, following.ownNode(), requestId);
        step.emit(new Command.WakeAt(requestId, step.view.now().nanos() + HandingOver.HEAD_START));
    }

    private static Evaluating verifying(Following following, CandidateNode ownNode, long requestId) {
        return new Evaluating(ownNode, requestId, Reads.NONE, following.observed(), following, null, null);
    }

    /** Reads everything once more: the holder in the record was not listed before. */
    void confirm(Step step, Claim claim) {
        long next = step.nextRequestId();
        read(step, new Evaluating(ownNode, next, Reads.NONE, last, checking, waited, claim));
    }

    /** Whether the list was requested after that record had been read. */
    boolean confirms(Claim claim) {
        return claim.equals(unlisted) || waited != null && claim.equals(waited.claim());
    }

    @Override
    public @Nullable Predecessor observed() {
        return last;
    }

    @Override
    public Evaluating with(CandidateNode ownNode) {
        return new Evaluating(ownNode, requestId, reads, last, checking, waited, unlisted);
    }

    private Evaluating with(long requestId, Reads reads) {
        return new Evaluating(ownNode, requestId, reads, last, checking, waited, unlisted);
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
        CandidateQueue queue = reads.queue();
        return queue == null
                ? OptionalInt.empty()
                : OptionalInt.of(queue.nodes().size());
    }

    @Override
    public void woken(Step step) {
        recheck(step);
    }

    /** Begins again; a follower that is being verified stays one. */
    @Override
    public void recheck(Step step) {
        Following following = followed();
        if (following != null) {
            verify(step, following);
        } else {
            begin(step, this);
        }
    }

    /** A change of the predecessor's data uses up its watch, but does not end the verification. */
    @Override
    public void otherChanged(Step step, String path, EventType type) {
        Following following = followed();
        if (following == null || !path.equals(following.predecessor().path())) {
            return;
        }
        if (type == EventType.NodeDeleted) {
            Evaluating.afterPredecessor(step, following);
        } else {
            step.state = new Evaluating(ownNode, requestId, reads, last, following.unwatched(), waited, unlisted);
        }
    }

    @Override
    public void answered(Step step, Command.Send to, Reply reply) {
        if (to.purpose() == Purpose.LIST) {
            listed(step, to, reply);
        } else if (to.purpose() == Purpose.RECORD && reads.queue() != null) {
            with(requestId, reads.with(reply)).decide(step, to);
        } else if (to.purpose() == Purpose.INHERITED_RECORD) {
            inheritedRecordRead(step, reply);
        } else if (to.purpose() == Purpose.STAT) {
            statRead(step, to, reply);
        }
    }

    private void inheritedRecordRead(Step step, Reply reply) {
        LeaderRecord record = LeaderRecord.parse(reply.data()).orElse(null);
        if (record != null && record.heldBy(ownNode.name())) {
            Named.begin(step, ownNode, CandidateQueue.NONE, Holding.of(record, reply.stat()));
        } else if (!reply.ambiguous()) {
            read(step, with(step.nextRequestId(), Reads.NONE));
        }
    }

    private void listed(Step step, Command.Send to, Reply reply) {
        CandidateQueue queue = step.queueIn(to, reply);
        step.deleteOrphans(ownNode.candidacy(), queue, ownNode.name());
        if (lacksOwnNode(queue, reply)) {
            NodeLost.begin(step, this);
        } else if (!reply.ok()) {
            step.retryLater(this, to, reply);
        } else if (queue.ordered()) {
            step.state = with(requestId, reads.with(queue));
        } else {
            readCzxids(step, queue);
        }
    }

    /** After an overflow of the sequence the order of creation decides; the record is read again once that is known. */
    private void readCzxids(Step step, CandidateQueue queue) {
        long next = step.nextRequestId();
        step.state = with(next, Reads.NONE.with(queue));
        for (NodeName node : queue.nodes()) {
            step.send(Purpose.STAT, next, new Request.Exists(step.config.node(node.name())));
        }
        step.readRecord(next);
    }

    private void statRead(Step step, Command.Send to, Reply reply) {
        boolean ofCandidate = reads.queue() != null && !reads.queue().ordered();
        boolean dataRefused = reply.code() == Code.NOAUTH && to.request() instanceof Request.Get;
        if (reply.ambiguous() || dataRefused || ofCandidate && reply.noNode()) {
            // A Stat that was refused along with the data is asked for alone, which needs no permission.
            return;
        }
        if (ofCandidate && !reply.ok()) {
            // It exists, and its place in the queue could not be determined.
            step.retryLater(this, to, reply);
            return;
        }
        // An ancestor that cannot be read rules nothing out.
        Stat stat = reply.ok() ? reply.stat() : Decision.SOMETHING_DELETED;
        Evaluating more = with(requestId, reads.with(to.request().path(), stat));
        step.state = more;
        if (reads.record() != null) {
            more.decide(step, to);
        }
    }

    private void decide(Step step, Command.Send to) {
        Reply record = reads.record();
        CandidateQueue queue = reads.queue();
        if (record == null || queue == null) {
            return;
        }
        if (!record.ok() && !record.noNode()) {
            step.retryLater(this, to, record);
            return;
        }
        Evaluating decided = this;
        if (!queue.ordered()) {
            Map<String, Long> czxids = new HashMap<>();
            reads.stats().forEach((path, stat) -> czxids.put(Paths.name(path), stat.getCzxid()));
            queue = queue.orderedBy(czxids, step.view.now().nanos());
            decided = with(requestId, reads.with(queue));
        }
        step.state = decided;
        if (!queue.contains(ownNode.name())) {
            NodeLost.begin(step, decided);
        } else {
            new Decision(step, decided, ownNode, queue).make(record);
        }
    }
}
