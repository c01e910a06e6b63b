package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command.Purpose;
import io.github.leaderelection.zookeeper.znode.CandidateQueue;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** One application of the {@link Protocol}: collects the next state and the commands, and is thrown away. */
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
        this.failures = election.failures();
        this.error = election.error();
    }

    StateMachine.Outcome done() {
        return new StateMachine.Outcome(
                new ElectionState(config, state, lastRequestId, terms, formerNode, queueWatched, failures, error),
                commands);
    }

    long nextRequestId() {
        return ++lastRequestId;
    }

    void emit(Command command) {
        commands.add(command);
    }

    void send(Purpose purpose, long requestId, Request request) {
        commands.add(new Command.Send(purpose, requestId, request));
    }

    /** Takes the answer to a {@link #list}, a {@link #look} or a {@link #glance}; notes if it has set the watch on the queue. */
    CandidateQueue listed(Command.Send to, Reply reply) {
        if (reply.ok() && to.request() instanceof Request.Children children && children.watch()) {
            queueWatched = true;
        }
        Stat stat = to.request() instanceof Request.Names ? null : reply.stat();
        return CandidateQueue.of(reply.children(), stat, view.now().nanos());
    }

    void list(long requestId, boolean watch) {
        send(Purpose.LIST, requestId, new Request.Children(config.path(), watch));
    }

    /**
     * Reads the queue and the record, in this order: a record that was read before the list may be older than the deletion
     * that the list shows.
     *
     * @param nodes of which the Stat is needed to judge them
     */
    void look(long requestId, String... nodes) {
        look(requestId, true, nodes);
    }

    /** Reads the same without haste: most likely nothing has changed. */
    void glance(long requestId) {
        look(requestId, false);
    }

    private void look(long requestId, boolean urgent, String... nodes) {
        List<Command.Send> reads = new ArrayList<>(2 + nodes.length);
        for (String node : nodes) {
            reads.add(new Command.Send(Purpose.STAT, requestId, new Request.Get(node, false)));
        }
        reads.add(new Command.Send(Purpose.LIST, requestId, new Request.Names(config.path())));
        reads.add(new Command.Send(Purpose.RECORD, requestId, new Request.Get(config.record(), false)));
        emit(new Command.SendTogether(reads, urgent));
    }

    /**
     * A write through the quorum. Once it is answered, whatever else we sent before has come into force or never will,
     * and this server knows of it; a sync promises neither, if the server does not know yet that it was deposed.
     */
    void settle(long requestId) {
        send(Purpose.SETTLE, requestId, new Request.Set(view.heartbeat(), Request.NO_DATA, -1));
    }

    void readRecord(long requestId) {
        send(Purpose.RECORD, requestId, new Request.Get(config.record(), false));
    }

    /** Sets the watch on our own node. Without it an acknowledged beat proves nothing about this election. */
    void arm(CandidateNode ownNode) {
        if (!ownNode.armed()) {
            send(Purpose.OWN, lastRequestId, new Request.Get(ownNode.path(), true));
        }
    }

    /** Sets that watch again, though it should be set. */
    void armAgain(CandidateNode ownNode) {
        emit(new Command.SendWhenIdle(
                new Command.Send(Purpose.OWN, lastRequestId, new Request.Get(ownNode.path(), true))));
    }

    /** Deletes nodes of our own that we do not stand for: creates whose answers were lost. */
    void deleteTwins(Candidacy candidacy, CandidateQueue queue, String keep) {
        for (String twin : queue.withGuid(candidacy.guid())) {
            if (!twin.equals(keep)) {
                send(Purpose.CLEAN_UP, lastRequestId, new Request.Delete(config.node(twin), -1));
            }
        }
    }

    /** Drains the last term, of which something may be running even if it is over; 0 if there was none. */
    long drain() {
        if (terms > 0) {
            emit(new Command.Drain(terms));
        }
        return terms;
    }

    long grant() {
        emit(new Command.Granted(++terms));
        return terms;
    }

    void revoke(State.Leading leading, RevocationReason reason) {
        formerNode = leading.ownNode().name();
        if (reason != RevocationReason.LISTENER_FAILED) {
            failures = 0;
        }
        emit(new Command.Revoked(leading.term(), reason));
    }

    /** Says once what keeps the election from going on. */
    void fail(ElectionException cause) {
        String message = String.valueOf(cause.getMessage());
        if (!message.equals(error)) {
            error = message;
            emit(new Command.Failed(cause));
        }
    }

    /** ZooKeeper refuses something without which it can't go on. */
    void tryAgainLater(State next, long requestId, Command.Send to, Reply reply) {
        if (!reply.ambiguous()) {
            fail(new ElectionException("Cannot use %s (%s): %s"
                    .formatted(to.request().path(), to.purpose(), ErrorTexts.code(reply.code()))));
            state = next;
            pause(requestId);
        }
    }

    /** What was told is over; so are the pauses on its account. */
    void allIsWell() {
        if (error != null) {
            error = null;
            failures = 0;
        }
    }

    /** Asks to be woken up once there is room; on which flight, is the answer. */
    long waitForRoom() {
        long requestId = nextRequestId();
        emit(new Command.WakeWhenThereIsRoom(requestId));
        return requestId;
    }

    /** Asks to be woken up for this flight, later each time. */
    void pause(long requestId) {
        long pause = SHORTEST_PAUSE << Math.min(failures++, MOST_DOUBLINGS);
        emit(new Command.Wake(requestId, view.now().nanos() + pause));
    }
}
