package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one connection's elections do: takes signals to the protocol, carries out its commands, and keeps what
 * belongs to the connection. Confined to the loop.
 */
final class Engine implements Beat.Listener {

    /**
     * What the engine is told once and for all.
     *
     * @param lease null: a third of the negotiated session timeout
     */
    record Config(String root, @Nullable Long lease, long recheckMillis) {}

    /** One election in the engine's care. */
    static final class Cell {
        private final Outlet outlet;
        private Ballot ballot;
        private long recheckAt;

        private Cell(Ballot ballot, Outlet outlet) {
            this.ballot = ballot;
            this.outlet = outlet;
        }

        Ballot ballot() {
            return ballot;
        }

        long recheckAt() {
            return recheckAt;
        }

        void recheckAt(long nanos) {
            recheckAt = nanos;
        }
    }

    /** Told how the connection fares: among others when the beat is made, or why it can't be. */
    interface Readiness {
        void ready();

        void refused(ElectionException cause);

        default void connected(long session, long timeoutMillis) {}

        default void disconnected() {}

        /** A heartbeat was acknowledged, that long after it was sent. */
        default void acknowledged(long millis, long lease) {}
    }

    private final Transition protocol;
    private final Wire wire;
    private final Timers timers;
    private final Clock clock;
    private final Config config;
    private final Supplier<String> guids;
    private final Readiness readiness;
    private final Beat beat;
    private final Sightings sightings;
    private final LostAnswers lostAnswers;
    private final Map<String, Cell> cells = new HashMap<>();
    /** Those that are on their way out while another one has been opened at their path. */
    private final List<Cell> earlier = new ArrayList<>();

    private final Pulse pulse;
    private final Errands errands;
    private final Rechecks rechecks;
    private final List<Companion> companions = new ArrayList<>();
    private final Queue<Runnable> pending = new ArrayDeque<>();
    private boolean stepping;
    private volatile boolean connected;
    private volatile long downSince;
    private long generation;
    private volatile long session;
    private volatile long sessionTimeout;
    private @Nullable String obstacle;

    Engine(
            Transition protocol,
            Wire wire,
            Timers timers,
            Clock clock,
            Config config,
            Supplier<String> guids,
            Readiness readiness) {
        this.protocol = protocol;
        this.wire = wire;
        this.timers = timers;
        this.clock = clock;
        this.config = config;
        this.guids = guids;
        this.readiness = readiness;
        this.beat = new Beat(this::send, clock, config.root(), this);
        this.sightings = new Sightings(this::send, this::at, clock);
        this.lostAnswers = new LostAnswers(clock);
        this.pulse = new Pulse(this::at, clock, this::lease, this::beatIfConnected, this::lapse);
        this.errands = new Errands(this::at, clock);
        this.rechecks = new Rechecks(
                this::at, clock, config.recheckMillis(), this::allCells, cell -> step(cell, new Signal.Recheck()));
        this.downSince = clock.nanos();
    }

    Cell open(Ballot.Setting setting, Outlet outlet) {
        Cell cell = new Cell(Ballot.of(setting), outlet);
        Cell before = cells.put(setting.path(), cell);
        if (before != null) {
            earlier.add(before);
        }
        rechecks.begin(cell);
        return cell;
    }

    /** Forgets an election that is closed. */
    void forget(Cell cell) {
        if (!cells.remove(cell.ballot.setting().path(), cell)) {
            earlier.remove(cell);
        }
    }

    void signal(Cell cell, Signal signal) {
        run(() -> step(cell, signal));
    }

    boolean isConnected() {
        return connected;
    }

    boolean isReady() {
        return connected && beat.isMade();
    }

    /** How long there has been no connection, while there is none; never connected counts from the beginning. */
    long downMillis() {
        return (clock.nanos() - downSince) / 1_000_000;
    }

    long session() {
        return session;
    }

    long sessionTimeout() {
        return sessionTimeout;
    }

    /** This process's own lease, in milliseconds; a server that negotiates a shorter session shortens it. */
    long lease() {
        long third = Math.max(1, sessionTimeout / 3);
        return config.lease() == null || config.lease() >= sessionTimeout ? third : config.lease();
    }

    // the connection

    /** The connection is usable: the first time, again after it was lost, or on a new session. */
    void connected(long sessionId, long negotiatedTimeout) {
        run(() -> {
            boolean fresh = sessionId != session;
            if (connected && !fresh) {
                negotiated(negotiatedTimeout);
                return;
            }
            if (fresh && session != 0) {
                expire();
            }
            connected = true;
            session = sessionId;
            negotiated(negotiatedTimeout);
            readiness.connected(sessionId, negotiatedTimeout);
            if (fresh) {
                beat.begin(guids.get());
            } else {
                sightings.reconnected();
                if (!beat.isMade()) {
                    beat.make();
                }
            }
            tellAll(new Signal.Connected());
            forgetDeletions();
            List.copyOf(companions).forEach(Companion::connected);
        });
    }

    /** Each reconnect negotiates anew. The client says that it is connected before it has, so it may come later. */
    private void negotiated(long timeout) {
        if (timeout != sessionTimeout) {
            sessionTimeout = timeout;
            pulse.leaseChanged();
        }
    }

    void disconnected() {
        run(() -> {
            if (connected) {
                down();
                sightings.disconnected();
                tellAll(new Signal.Disconnected());
            }
        });
    }

    /** The session is over, and whatever is still answered on it counts for nothing. */
    void expired() {
        run(this::expire);
    }

    private void down() {
        if (connected) {
            downSince = clock.nanos();
            connected = false;
            readiness.disconnected();
        }
    }

    private void expire() {
        down();
        generation++;
        session = 0;
        sightings.expired();
        tellAll(new Signal.Expired());
    }

    void event(String path, EventType type) {
        run(() -> {
            sightings(path, type);
            List.copyOf(companions).forEach(companion -> companion.changed(path, type));
            Signal changed = new Signal.Changed(path, type);
            for (Cell cell : cellsAt(Paths.parent(path))) {
                step(cell, changed);
            }
            for (Cell cell : cellsAt(path)) {
                step(cell, changed);
            }
        });
    }

    private void sightings(String path, EventType type) {
        if (type == EventType.PersistentWatchRemoved) {
            sightings.unwatched(path);
        } else if (type != EventType.NodeDeleted) {
            // A deletion is no beat: it comes when the session has expired, long after the last one.
            sightings.changed(path);
        }
    }

    /** Deletes the beat; what else there was on the connection has gone with its elections. */
    void close(Runnable done) {
        run(() -> {
            obstacle = null;
            companions.clear();
            if (connected) {
                sightings.end();
                beat.delete(done);
            } else {
                done.run();
            }
        });
    }

    // the beat

    @Override
    public void made() {
        obstacle = null;
        readiness.ready();
    }

    /** Told once; tried again until it is permitted. */
    @Override
    public void refused(ElectionException cause) {
        if (!Objects.equals(cause.getMessage(), obstacle)) {
            obstacle = cause.getMessage();
            readiness.refused(cause);
        }
        long refusedOn = generation;
        at(clock.nanos() + 1_000_000_000L, () -> {
            if (obstacle != null && connected && refusedOn == generation) {
                beat.make();
            }
        });
    }

    @Override
    public void acknowledged(Moment sent) {
        readiness.acknowledged((clock.nanos() - sent.nanos()) / 1_000_000, lease());
        for (Cell cell : allCells()) {
            if (needsProof(cell.ballot.stage())) {
                step(cell, new Signal.Acknowledged(sent));
            }
        }
    }

    private static boolean needsProof(Stage stage) {
        return stage instanceof Stage.Leading
                || stage instanceof Stage.Named
                || stage instanceof Stage.Evaluating
                || stage instanceof Stage.Succeeding
                || stage instanceof Stage.Following;
    }

    private void beatIfConnected() {
        if (connected) {
            beat.send();
        }
    }

    private void lapse(Cell cell) {
        cell.ballot.leading().ifPresent(leading -> step(cell, new Signal.Lapsed(leading.term())));
    }

    // elections

    /** Ends an election for everyone. */
    void delete(String path, Runnable done, Consumer<ElectionException> failed) {
        delete(path, false, done, failed);
    }

    private void delete(String path, boolean marked, Runnable done, Consumer<ElectionException> failed) {
        add(new Deletion(path, this::send, this::at, clock, this::sessionTimeout, marked, done, failed));
    }

    void add(Companion companion) {
        run(() -> {
            forgetDeletions();
            companions.add(companion);
            if (connected) {
                companion.connected();
            }
        });
    }

    private void forgetDeletions() {
        companions.removeIf(companion -> companion instanceof Deletion deletion && deletion.isOver());
    }

    void remove(Companion companion) {
        run(() -> companions.remove(companion));
    }

    /** Wakes up in good order with everything else. */
    void at(long nanos, Runnable task) {
        timers.at(nanos, () -> run(task));
    }

    private void step(Cell cell, Signal signal) {
        View view =
                new View(clock.now(), connected, session, sessionTimeout, lease(), beat.path(), sightings::last, guids);
        Ballot before = cell.ballot;
        Transition.Step step = protocol.apply(before, signal, view);
        cell.ballot = step.ballot();
        cell.outlet.published(cell.ballot);
        followBeat(before.observedBeat(), cell.ballot.observedBeat());
        pulse.follow(cell);
        for (Command command : step.commands()) {
            execute(cell, command);
        }
    }

    private void followBeat(@Nullable String before, @Nullable String after) {
        if (!Objects.equals(before, after)) {
            if (after != null) {
                sightings.observe(after);
            }
            if (before != null) {
                sightings.release(before);
            }
        }
    }

    private void execute(Cell cell, Command command) {
        if (command instanceof Command.Send send) {
            send(send.request(), reply -> step(cell, new Signal.Replied(send, reply)));
        } else if (command instanceof Command.SendTogether together) {
            sendTogether(cell, together.reads());
        } else if (command instanceof Command.Beat) {
            beat.ensure(pulse.interval());
        } else if (command instanceof Command.MakeBeat) {
            beat.make();
        } else if (command instanceof Command.Wake wake) {
            timers.at(wake.nanos(), () -> signal(cell, new Signal.Woken(wake.flight())));
        } else if (command instanceof Command.WakeWhenIdle wake) {
            errands.add(() -> step(cell, new Signal.Woken(wake.flight())));
        } else if (command instanceof Command.Granted granted) {
            cell.outlet.granted(granted.term());
        } else if (command instanceof Command.Revoked revoked) {
            cell.outlet.revoked(revoked.term(), revoked.reason());
        } else if (command instanceof Command.Drain drain) {
            cell.outlet.drain(drain.term());
        } else if (command instanceof Command.Left left) {
            cell.outlet.left(left.confirmed());
        } else if (command instanceof Command.Ended) {
            cell.outlet.ended();
        } else if (command instanceof Command.Failed failed) {
            cell.outlet.failed(failed.cause());
        } else if (command instanceof Command.Clear) {
            delete(
                    cell.ballot.setting().path(),
                    true,
                    () -> signal(cell, new Signal.Cleared(null)),
                    refusal -> signal(cell, new Signal.Cleared(refusal)));
        }
    }

    private void sendTogether(Cell cell, List<Command.Send> reads) {
        List<Request> requests = reads.stream().map(Command.Send::request).toList();
        send(new Request.Reads(requests), reply -> {
            for (int i = 0; i < reads.size(); i++) {
                step(cell, new Signal.Replied(reads.get(i), reply.part(i)));
            }
        });
    }

    /**
     * Sends a request. An answer on a session that is over says nothing any more; an answer that was lost says that the
     * connection was, even if nobody told us.
     */
    void send(Request request, Consumer<Reply> answer) {
        if (lostAnswers.holdBack(request)) {
            sendInPlaceOf(request, answer);
            return;
        }
        long sentOn = generation;
        errands.sent();
        wire.send(
                request,
                reply -> run(() -> {
                    lostAnswers.answered(request, reply);
                    answer.accept(sentOn == generation ? reply : Reply.of(Code.SESSIONEXPIRED));
                    if (sentOn == generation && reply.ambiguous()) {
                        disconnected();
                    }
                    errands.answered();
                }));
    }

    /** Something that has a short answer, which comes in good order with the other answers. */
    private void sendInPlaceOf(Request request, Consumer<Reply> answer) {
        if (request instanceof Request.Get get) {
            // The watch is what matters; the data, of which nothing is known then, can be done without.
            send(new Request.Exists(get.path(), get.watch()), answer);
        } else {
            send(
                    new Request.Exists(request.path()),
                    reply -> answer.accept(reply.ok() ? Reply.of(Code.MARSHALLINGERROR) : reply));
        }
    }

    private void tellAll(Signal signal) {
        for (Cell cell : allCells()) {
            step(cell, signal);
        }
    }

    private List<Cell> allCells() {
        List<Cell> all = new ArrayList<>(cells.values());
        all.addAll(earlier);
        return all;
    }

    private List<Cell> cellsAt(String path) {
        List<Cell> found = new ArrayList<>(1);
        Cell current = cells.get(path);
        if (current != null) {
            found.add(current);
        }
        for (Cell cell : earlier) {
            if (cell.ballot.setting().path().equals(path)) {
                found.add(cell);
            }
        }
        return found;
    }

    /** Runs one thing after the other: what a step brings about comes after the step. */
    private void run(Runnable task) {
        pending.add(task);
        if (stepping) {
            return;
        }
        stepping = true;
        try {
            for (Runnable next = pending.poll(); next != null; next = pending.poll()) {
                next.run();
            }
        } finally {
            stepping = false;
        }
    }
}
