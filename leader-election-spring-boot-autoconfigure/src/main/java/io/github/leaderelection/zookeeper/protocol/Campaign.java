package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.protocol.State.AwaitingLeaseEnd;
import io.github.leaderelection.zookeeper.protocol.State.Claiming;
import io.github.leaderelection.zookeeper.protocol.State.Detached;
import io.github.leaderelection.zookeeper.protocol.State.Evaluating;
import io.github.leaderelection.zookeeper.protocol.State.Following;
import io.github.leaderelection.zookeeper.protocol.State.Queued;
import io.github.leaderelection.zookeeper.protocol.State.Succeeding;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
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
public final class Campaign {

    private Campaign() {}

    /** Reads the queue and the record afresh. */
    static void evaluate(Step step, Queued queued) {
        evaluate(step, new Evaluating(queued.ownNode(), 0, QueueReads.NONE, null, null, queued.waited()));
    }

    /** The same as soon as there is room for it: after a reconnect all elections want it at once. */
    static void evaluateInTurn(Step step, Detached detached) {
        if (!step.view.connected()) {
            step.state = detached;
        } else if (step.view.hasRoom()) {
            evaluate(step, detached);
        } else {
            step.state = new Detached(detached.ownNode(), step.waitForRoom(), detached.waited());
        }
    }

    /**
     * The predecessor is gone. If it named us when it left, the record says so, and the beat sent along with the read
     * lets us lead without another round trip; nor is that one needed if the last one is still fresh.
     */
    static void succeed(Step step, Following following) {
        long requestId = step.nextRequestId();
        CandidateNode ownNode = following.ownNode();
        step.state = new Succeeding(ownNode, requestId, following.predecessor());
        step.arm(ownNode);
        step.readRecord(requestId);
        if (!ownNode.armed() || !ownNode.holds(step.view.lease() / 2, step.view.now())) {
            step.emit(new Command.Heartbeat());
        }
    }

    /** Named: leads, whatever the queue is. Otherwise the queue is read, and after it the record once more. */
    static void succeeding(Step step, Succeeding succeeding, Command.Send to, Reply reply) {
        if (to.purpose() != Purpose.RECORD || reply.ambiguous()) {
            return;
        }
        CandidateNode ownNode = succeeding.ownNode();
        Optional<LeaderRecord> record = reply.content().flatMap(LeaderRecord::parse);
        if (record.isPresent() && record.get().heldBy(ownNode.name())) {
            Reign.named(
                    step,
                    succeeding,
                    CandidateQueue.NONE,
                    reply.stat().getVersion(),
                    record.get().lease());
        } else {
            Predecessor last = succeeding.last();
            evaluate(step, new Evaluating(ownNode, 0, QueueReads.NONE, last, null, null));
        }
    }

    /** Verifies a follower's place; unless all was well before, its watches are set again, too. */
    static void checkPlace(Step step, Following following) {
        CandidateNode ownNode = following.isSettled()
                ? following.ownNode()
                : following.ownNode().arm(false);
        Predecessor last = following.predecessor();
        evaluate(step, new Evaluating(ownNode, 0, QueueReads.NONE, last, following, null));
    }

    private static void evaluate(Step step, Evaluating planned) {
        long requestId = step.nextRequestId();
        boolean succeeding = planned.last() != null && planned.checking() == null;
        step.state = planned.on(requestId);
        if (planned.last() != null) {
            step.arm(planned.ownNode());
        }
        if (succeeding) {
            step.list(requestId, true);
            step.readRecord(requestId);
        } else if (planned.checking() != null && planned.checking().isSettled()) {
            step.glance(requestId);
        } else {
            step.look(requestId);
        }
    }

    static void evaluating(Step step, Evaluating evaluating, Command.Send to, Reply reply) {
        switch (to.purpose()) {
            case LIST -> listed(step, evaluating, to, reply);
            case RECORD -> {
                if (evaluating.found().queue() != null) {
                    judge(step, evaluating.with(evaluating.found().with(reply)), to);
                }
            }
            case STAT -> statRead(step, evaluating, to, reply);
            default -> {}
        }
    }

    private static void statRead(Step step, Evaluating evaluating, Command.Send to, Reply reply) {
        QueueReads found = evaluating.found();
        boolean ofCandidate = found.queue() != null && !found.queue().ordered();
        boolean refused = reply.code() == Code.NOAUTH && to.request() instanceof Request.Get;
        if (reply.ambiguous() || refused || ofCandidate && reply.noNode()) {
            // Who may not read a node's data is told of its Stat all the same, if it asks for that alone.
            return;
        }
        if (ofCandidate && !reply.ok()) {
            // It is there, and its place in the queue cannot be told.
            step.tryAgainLater(evaluating, evaluating.requestId(), to, reply);
            return;
        }
        // Of an ancestor that may not be read nothing can be ruled out.
        Stat stat = reply.ok() ? reply.stat() : Decision.SOMETHING_DELETED;
        Evaluating more = evaluating.with(found.with(to.request().path(), stat));
        step.state = more;
        if (found.record() != null) {
            judge(step, more, to);
        }
    }

    private static void listed(Step step, Evaluating evaluating, Command.Send to, Reply reply) {
        CandidateNode ownNode = evaluating.ownNode();
        if (reply.ok()) {
            CandidateQueue queue = step.listed(to, reply);
            step.deleteTwins(evaluating.ownNode().candidacy(), queue, ownNode.name());
            if (!queue.contains(ownNode.name())) {
                Reign.lostSeat(step, evaluating);
            } else if (queue.ordered()) {
                step.state = evaluating.with(evaluating.found().with(queue));
            } else {
                readCzxids(step, evaluating, queue);
            }
        } else if (reply.noNode()) {
            Reign.lostSeat(step, evaluating);
        } else if (!reply.ambiguous()) {
            step.tryAgainLater(evaluating, evaluating.requestId(), to, reply);
        }
    }

    /** After an overflow of the sequence the order of creation decides; the record is read again after it is known. */
    private static void readCzxids(Step step, Evaluating evaluating, CandidateQueue queue) {
        long requestId = step.nextRequestId();
        step.state = evaluating.on(requestId).with(QueueReads.NONE.with(queue));
        for (NodeName node : queue.nodes()) {
            step.send(Purpose.STAT, requestId, new Request.Exists(step.config.node(node.name())));
        }
        step.readRecord(requestId);
    }

    private static void judge(Step step, Evaluating evaluating, Command.Send to) {
        QueueReads found = evaluating.found();
        Reply record = found.record();
        CandidateQueue queue = found.queue();
        if (record == null || queue == null || record.ambiguous()) {
            return;
        }
        if (!record.ok() && !record.noNode()) {
            step.tryAgainLater(evaluating, evaluating.requestId(), to, record);
            return;
        }
        if (!queue.ordered()) {
            Map<String, Long> czxids = new HashMap<>();
            found.stats().forEach((path, stat) -> czxids.put(Paths.name(path), stat.getCzxid()));
            queue = queue.orderedBy(czxids, step.view.now().nanos());
            evaluating = evaluating.with(found.with(queue));
        }
        step.state = evaluating;
        if (!queue.contains(evaluating.ownNode().name())) {
            Reign.lostSeat(step, evaluating);
            return;
        }
        act(
                step,
                evaluating,
                queue,
                Decision.of(step.config.path(), evaluating, queue, record, step.formerNode, step.view));
    }

    private static void act(Step step, Evaluating evaluating, CandidateQueue queue, Decision decision) {
        if (decision instanceof Decision.Follow follow) {
            followAgain(step, evaluating, follow);
        } else if (decision instanceof Decision.Lead lead) {
            Reign.named(step, evaluating, queue, lead.version(), lead.lease());
        } else if (decision instanceof Decision.Claim claim) {
            claim(step, evaluating, queue, claim.version());
        } else if (decision instanceof Decision.Wait wait) {
            await(step, evaluating, queue, wait);
        } else if (decision instanceof Decision.Ask ask) {
            step.send(Purpose.STAT, evaluating.requestId(), new Request.Exists(ask.node()));
        } else if (decision instanceof Decision.Rejoin rejoin) {
            if (rejoin.vain()) {
                step.fail(new ElectionException(
                        ("Nobody can lead: the token in %s is ahead of this ZooKeeper's own numbers."
                                        + " If it was copied from elsewhere, delete that node")
                                .formatted(step.config.record())));
            }
            Farewell.rejoin(step, evaluating);
        } else if (decision instanceof Decision.Ended) {
            Farewell.end(step, evaluating);
        } else if (decision instanceof Decision.Clear) {
            Farewell.clear(step, evaluating);
        }
    }

    /** What is known of the predecessor stays known if it is still the same. */
    private static void followAgain(Step step, Evaluating evaluating, Decision.Follow follow) {
        Predecessor last = evaluating.last();
        boolean same = last != null && last.node().equals(follow.predecessor());
        Following checked = evaluating.checking();
        if (same
                && checked != null
                && checked.isSettled()
                && evaluating.ownNode().armed()
                && !follow.idle()) {
            step.state = checked.with(evaluating.ownNode());
            return;
        }
        Predecessor predecessor = same && last != null ? last : new Predecessor(step.config.node(follow.predecessor()));
        Moment idleBefore = same && checked != null ? checked.idleSince() : null;
        Moment idleSince = idleBefore != null ? idleBefore : step.view.now();
        follow(step, evaluating, predecessor, follow.idle() ? idleSince : null);
    }

    /** Watches with a read, not with exists: that would leave a watch behind if the node is gone. */
    static void follow(Step step, Queued queued, Predecessor predecessor, @Nullable Moment idleSince) {
        long requestId = step.nextRequestId();
        step.state = new Following(queued.ownNode(), requestId, predecessor.unwatched(), idleSince);
        step.send(Purpose.PREDECESSOR, requestId, new Request.Get(predecessor.path(), true));
        step.arm(queued.ownNode());
        if (!queued.ownNode().armed() && queued.ownNode().provenAt() == null) {
            // Once, for the case that it is named before long: then it leads without waiting for a beat.
            step.emit(new Command.Heartbeat());
        }
    }

    static void following(Step step, Following following, Command.Send to, Reply reply) {
        if (to.purpose() != Purpose.PREDECESSOR || reply.ambiguous()) {
            return;
        }
        if (reply.ok()) {
            String heartbeat = beatOf(reply.data(), step.view);
            step.state = new Following(
                    following.ownNode(),
                    following.requestId(),
                    new Predecessor(following.predecessor().path(), heartbeat, true),
                    following.idleSince());
            if (blocks(following, reply.stat(), step.view)) {
                step.fail(new ElectionException(
                        "Blocked by %s, created %s by session 0x%x (0x0: by hand): it is ahead in the queue and does not lead. Delete it if nothing needs it"
                                .formatted(
                                        to.request().path(),
                                        Instant.ofEpochMilli(reply.stat().getCtime()),
                                        reply.stat().getEphemeralOwner())));
            } else {
                step.allIsWell();
            }
        } else if (reply.noNode()) {
            evaluate(step, following);
        } else {
            step.fail(new ElectionException(
                    "Cannot watch %s: %s".formatted(to.request().path(), ErrorTexts.code(reply.code()))));
        }
    }

    /** Only what lies beside our own beat is watched as one: anybody can write any path there. */
    private static String beatOf(byte[] data, View view) {
        String heartbeat = CandidateData.parse(data).heartbeat();
        String folder = Paths.parent(view.heartbeat());
        // The same string for all elections that follow that connection's.
        return Paths.parent(heartbeat).equals(folder) ? heartbeat.intern() : "";
    }

    /** First in the queue for longer than whatever it may be waiting for, and not leading. */
    private static boolean blocks(Following following, Stat predecessor, View view) {
        Moment idleSince = following.idleSince();
        return predecessor.getEphemeralOwner() == 0
                || idleSince != null && !idleSince.within(2 * view.sessionTimeout(), view.now());
    }

    private static void await(Step step, Evaluating evaluating, CandidateQueue queue, Decision.Wait wait) {
        AwaitingLeaseEnd waited = evaluating.waited();
        long until = wait.until();
        if (waited != null && waited.version() == wait.version() && waited.until() - until < 0) {
            until = waited.until();
        }
        if (until - step.view.now().nanos() <= 0) {
            claim(step, evaluating, queue, wait.version());
        } else {
            long requestId = step.nextRequestId();
            CandidateNode ownNode = evaluating.ownNode();
            step.state = new AwaitingLeaseEnd(ownNode, requestId, queue, wait.version(), until);
            step.arm(ownNode);
            // Whoever held it may yet release it.
            step.send(Purpose.RECORD, requestId, new Request.Get(step.config.record(), true));
            step.emit(new Command.Wake(requestId, until));
        }
    }

    /** The record as it is now that a change of it will be told. */
    static void waiting(Step step, AwaitingLeaseEnd waiting, Command.Send to, Reply reply) {
        int version = reply.noNode() ? Decision.NO_RECORD : reply.stat().getVersion();
        if (to.purpose() == Purpose.RECORD && (reply.ok() || reply.noNode()) && version != waiting.version()) {
            evaluate(step, waiting);
        }
    }

    /** Leads if our node is there and nobody else wrote the record meanwhile; the beat in it makes the claim visible. */
    static void claim(Step step, Queued queued, CandidateQueue queue, int version) {
        CandidateNode ownNode = queued.ownNode();
        long requestId = step.nextRequestId();
        long lease = step.view.lease();
        step.state = new Claiming(ownNode, requestId, queue, version, step.view.now(), lease);
        byte[] held = LeaderRecord.held(ownNode.name(), ownNode.czxid(), lease).toJson();
        String record = step.config.record();
        step.send(
                Purpose.CLAIM,
                requestId,
                new Request.Multi(List.of(
                        new Request.Check(ownNode.path()),
                        version == Decision.NO_RECORD
                                ? new Request.Create(record, held, CreateMode.PERSISTENT)
                                : new Request.Set(record, held, version),
                        new Request.Set(step.view.heartbeat(), Request.NO_DATA, -1))));
    }

    static void claiming(Step step, Claiming claiming, Command.Send to, Reply reply) {
        if (to.purpose() != Purpose.CLAIM || reply.ambiguous()) {
            return;
        }
        if (reply.ok()) {
            CandidateNode ownNode = claiming.ownNode().prove(claiming.sent());
            int version = claiming.version() + 1;
            Reign.named(step, claiming.with(ownNode), claiming.queue(), version, claiming.lease());
        } else if (reply.code() == Code.BADVERSION || reply.code() == Code.NODEEXISTS) {
            evaluate(step, claiming);
        } else {
            Evaluating again = Evaluating.of(claiming.ownNode(), claiming.requestId());
            if (reply.noNode()) {
                // Ours, the record or the beat: which one it is we see when we look again.
                step.emit(new Command.CreateHeartbeat());
                step.state = again;
                step.pause(claiming.requestId());
            } else {
                step.tryAgainLater(again, claiming.requestId(), to, reply);
            }
        }
    }
}
