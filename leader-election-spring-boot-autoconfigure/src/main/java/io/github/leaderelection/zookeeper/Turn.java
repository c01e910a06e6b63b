package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.Command.About;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** One application of the {@link Protocol}: collects the next state and the commands, and is thrown away. */
final class Turn {

    private static final long SHORTEST_PAUSE = 250_000_000L;
    private static final int MOST_DOUBLINGS = 7;

    final Ballot.Setting setting;
    final View view;
    Stage stage;

    @Nullable
    String former;

    boolean queueWatched;

    private final List<Command> commands = new ArrayList<>(4);
    private long flights;
    private long terms;
    private int failures;
    private @Nullable String error;

    Turn(Ballot ballot, View view) {
        this.setting = ballot.setting();
        this.view = view;
        this.stage = ballot.stage();
        this.former = ballot.former();
        this.queueWatched = ballot.queueWatched();
        this.flights = ballot.flights();
        this.terms = ballot.terms();
        this.failures = ballot.failures();
        this.error = ballot.error();
    }

    Transition.Step done() {
        return new Transition.Step(
                new Ballot(setting, stage, flights, terms, former, queueWatched, failures, error), commands);
    }

    long nextFlight() {
        return ++flights;
    }

    void emit(Command command) {
        commands.add(command);
    }

    void send(About about, long flight, Request request) {
        commands.add(new Command.Send(about, flight, request));
    }

    /** Takes the answer to a {@link #list}, a {@link #look} or a {@link #glance}; notes if it has set the watch on the queue. */
    Listing listed(Command.Send to, Reply reply) {
        if (reply.ok() && to.request() instanceof Request.Children children && children.watch()) {
            queueWatched = true;
        }
        Stat stat = to.request() instanceof Request.Names ? null : reply.stat();
        return Listing.of(reply.children(), stat, view.now().nanos());
    }

    void list(long flight, boolean watch) {
        send(About.LIST, flight, new Request.Children(setting.path(), watch));
    }

    /**
     * Reads the queue and the record, in this order: a record that was read before the list may be older than the deletion
     * that the list shows.
     *
     * @param nodes of which the Stat is needed to judge them
     */
    void look(long flight, String... nodes) {
        look(flight, true, nodes);
    }

    /** Reads the same without haste: most likely nothing has changed. */
    void glance(long flight) {
        look(flight, false);
    }

    private void look(long flight, boolean urgent, String... nodes) {
        List<Command.Send> reads = new ArrayList<>(2 + nodes.length);
        for (String node : nodes) {
            reads.add(new Command.Send(About.STAT, flight, new Request.Get(node, false)));
        }
        reads.add(new Command.Send(About.LIST, flight, new Request.Names(setting.path())));
        reads.add(new Command.Send(About.RECORD, flight, new Request.Get(setting.record(), false)));
        emit(new Command.SendTogether(reads, urgent));
    }

    /**
     * A write through the quorum. Once it is answered, whatever else we sent before has come into force or never will,
     * and this server knows of it; a sync promises neither, if the server does not know yet that it was deposed.
     */
    void settle(long flight) {
        send(About.SETTLE, flight, new Request.Set(view.beat(), Request.NO_DATA, -1));
    }

    void readRecord(long flight) {
        send(About.RECORD, flight, new Request.Get(setting.record(), false));
    }

    /** Sets the watch on our own node. Without it an acknowledged beat proves nothing about this election. */
    void arm(Seat seat) {
        if (!seat.armed()) {
            send(About.OWN, flights, new Request.Get(seat.path(), true));
        }
    }

    /** Sets that watch again, though it should be set. */
    void armAgain(Seat seat) {
        emit(new Command.SendWhenIdle(new Command.Send(About.OWN, flights, new Request.Get(seat.path(), true))));
    }

    /** Deletes nodes of our own that we do not stand for: creates whose answers were lost. */
    void deleteTwins(Candidacy candidacy, Listing listing, String keep) {
        for (String twin : listing.withGuid(candidacy.guid())) {
            if (!twin.equals(keep)) {
                send(About.CLEAN_UP, flights, new Request.Delete(setting.node(twin), -1));
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

    void revoke(Stage.Leading leading, RevocationReason reason) {
        former = leading.seat().node();
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
    void tryAgainLater(Stage next, long flight, Command.Send to, Reply reply) {
        if (!reply.ambiguous()) {
            fail(new ElectionException(
                    "Cannot use %s (%s): %s".formatted(to.request().path(), to.about(), Explain.code(reply.code()))));
            stage = next;
            pause(flight);
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
        long flight = nextFlight();
        emit(new Command.WakeWhenThereIsRoom(flight));
        return flight;
    }

    /** Asks to be woken up for this flight, later each time. */
    void pause(long flight) {
        long pause = SHORTEST_PAUSE << Math.min(failures++, MOST_DOUBLINGS);
        emit(new Command.Wake(flight, view.now().nanos() + pause));
    }
}
