package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import io.github.leaderelection.zookeeper.znode.HeartbeatData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One application of the {@link Protocol}: collects the next state and the commands, and is discarded. */
public final class Step {

    private static final long SHORTEST_PAUSE = 250_000_000L;
    private static final int MOST_DOUBLINGS = 7;

    final ElectionState.Config config;
    final View view;
    State state;

    @Nullable
    String formerNode;

    boolean queueWatched;

    private final List<Command> commands = new ArrayList<>(4);
    private long lastRequestId;
    private long terms;
    private long heard;
    private int failures;
    private @Nullable String error;

    Step(ElectionState election, View view) {
        this.config = election.config();
        this.view = view;
        this.state = election.state();
        this.formerNode = election.formerNode();
        this.queueWatched = election.queueWatched();
        this.lastRequestId = election.lastRequestId();
        this.terms = election.terms();
        this.heard = election.heard();
        this.failures = election.failures();
        this.error = election.error();
    }

    StateMachine.Outcome outcome() {
        return new StateMachine.Outcome(
                new ElectionState(
                        config, state, lastRequestId, terms, heard, formerNode, queueWatched, failures, error),
                commands);
    }

    // requests

    long nextRequestId() {
        return ++lastRequestId;
    }

    void emit(Command command) {
        commands.add(command);
    }

    void send(Purpose purpose, long requestId, Request request) {
        commands.add(new Command.Send(purpose, requestId, request));
    }

    void read(Purpose purpose, long requestId, String node) {
        send(purpose, requestId, new Request.Get(config.node(node), false));
    }

    /** For a request that must not delay candidates without a place in the queue. */
    void sendWhenThereIsRoom(Purpose purpose, long requestId, Request request) {
        commands.add(new Command.SendWhenThereIsRoom(new Command.Send(purpose, requestId, request)));
    }

    void list(long requestId, boolean watch) {
        send(Purpose.LIST, requestId, new Request.Children(config.path(), watch));
    }

    void readRecord(long requestId) {
        read(Purpose.RECORD, requestId, LeaderRecord.NODE);
    }

    /**
     * Reads the queue and the record in one packet. R27: in this order, since a record that was read before the list
     * may be older than a deletion that the list shows.
     *
     * @param nodes whose Stat is needed as well
     */
    void readQueueAndRecord(long requestId, String... nodes) {
        readTogether(requestId, true, nodes);
    }

    /** The same without haste, to verify what is probably unchanged: it shares a packet with other elections' reads. */
    void readQueueAndRecordLeisurely(long requestId) {
        readTogether(requestId, false);
    }

    private void readTogether(long requestId, boolean urgent, String... nodes) {
        List<Command.Send> reads = new ArrayList<>(2 + nodes.length);
        for (String node : nodes) {
            reads.add(new Command.Send(Purpose.STAT, requestId, new Request.Get(node, false)));
        }
        reads.add(new Command.Send(Purpose.LIST, requestId, new Request.Children(config.path(), false)));
        reads.add(new Command.Send(Purpose.RECORD, requestId, new Request.Get(config.record(), false)));
        emit(new Command.ReadTogether(reads, urgent));
    }

    /** The queue in the reply to a list; notes whether the list has set the watch on the queue. */
    CandidateQueue queueIn(Command.Send to, Reply reply) {
        queueWatched |= reply.ok() && setsWatch(to);
        return CandidateQueue.of(reply.children(), view.now().nanos());
    }

    static boolean setsWatch(Command.Send list) {
        return list.request() instanceof Request.Children children && children.watch();
    }

    /**
     * A quorum write. Once it is answered, everything sent before is committed or never will be, and this server has
     * seen it. A {@code sync} guarantees neither if the server does not know yet that it was deposed. The write does
     * not touch the heartbeat: an heir would take that for a sign of life of a holder without answers (R34).
     */
    void barrier(long requestId) {
        send(Purpose.BARRIER, requestId, new Request.Multi(List.of(new Request.Check(view.heartbeat()))));
    }

    Request heartbeat() {
        return new Request.Set(view.heartbeat(), new HeartbeatData(view.led()).toJson(), -1);
    }

    /** Sets the watch on the own node, unless it is set. */
    void arm(CandidateNode ownNode) {
        if (!ownNode.armed()) {
            send(Purpose.OWN_NODE, lastRequestId, new Request.Get(ownNode.path(), true));
        }
    }

    /** Sets that watch, or sets it again, without delaying candidates that have no place in the queue. */
    void armWhenThereIsRoom(CandidateNode ownNode) {
        sendWhenThereIsRoom(Purpose.OWN_NODE, lastRequestId, new Request.Get(ownNode.path(), true));
    }

    /** Deletes nodes of our own that do not count: creates whose replies were lost. */
    void deleteTwins(Candidacy candidacy, CandidateQueue queue, String keep) {
        for (String twin : queue.withGuid(candidacy.guid())) {
            if (!twin.equals(keep)) {
                send(Purpose.CLEAN_UP, lastRequestId, new Request.Delete(config.node(twin), -1));
            }
        }
    }

    /** The same for all nodes of this connection, such as that of a former candidacy, which would block the queue. */
    void deleteOrphans(Candidacy candidacy, CandidateQueue queue, String keep) {
        for (String orphan : queue.ofConnection(NodeName.connection(candidacy.guid()))) {
            if (!orphan.equals(keep)) {
                emit(new Command.DeleteOrphan(orphan));
            }
        }
    }

    // terms

    long grant() {
        emit(new Command.Granted(++terms));
        return terms;
    }

    void revoke(Leading leading, RevocationReason reason) {
        formerNode = leading.ownNode().name();
        if (reason != RevocationReason.LISTENER_FAILED) {
            failures = 0;
        }
        long leaseEnd = leading.ownNode().proof().millis() + leading.lease();
        long endedAt = leading.isValid(view.now()) ? view.now().millis() : leaseEnd;
        emit(new Command.Revoked(leading.term(), reason, endedAt));
    }

    /** Drains the last term, whose work may still be running after its end; returns 0 if there was none. */
    long drain() {
        if (terms > 0) {
            emit(new Command.Drain(terms));
        }
        return terms;
    }

    void heard(long term) {
        heard = Math.max(heard, term);
    }

    /** Whether that term is the last one and listeners have not returned from it. */
    boolean awaitsListeners(long term) {
        return term == terms && !allHeard();
    }

    /** R40: joins and leads only after all listeners have returned from the last term: they may still be working. */
    boolean allHeard() {
        return heard == terms;
    }

    // trouble

    /** Reports once what keeps the election from going on. */
    void fail(ElectionException cause) {
        String message = String.valueOf(cause.getMessage());
        if (!message.equals(error)) {
            error = message;
            emit(new Command.Failed(cause));
        }
    }

    /** ZooKeeper refuses something that is needed to go on: reports it, and tries again after a pause. */
    void retryLater(State next, Command.Send to, Reply reply) {
        if (!reply.ambiguous()) {
            fail(reply.failure("use " + to.request().path() + " (" + to.purpose() + ")"));
            state = next;
            pause(next.requestId());
        }
    }

    /** The reported failure is over. */
    void recovered() {
        if (error != null) {
            error = null;
            failures = 0;
        }
    }

    /** Asks to be woken once there is room for this election; returns the request to wait for. */
    long wakeWhenThereIsRoom() {
        long requestId = nextRequestId();
        emit(new Command.WakeWhenThereIsRoom(requestId));
        return requestId;
    }

    /** Asks to be woken for this request soon: no failure was reported. */
    void pauseBriefly(long requestId) {
        emit(new Command.WakeAt(requestId, view.now().nanos() + SHORTEST_PAUSE));
    }

    /** Asks to be woken for this request, later each time. */
    void pause(long requestId) {
        long pause = SHORTEST_PAUSE << Math.min(failures++, MOST_DOUBLINGS);
        emit(new Command.WakeAt(requestId, view.now().nanos() + pause));
    }
}
