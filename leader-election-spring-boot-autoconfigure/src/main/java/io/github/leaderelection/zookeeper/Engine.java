package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that one connection's elections do: takes signals to the protocol, carries out its commands, and keeps what
 * belongs to the connection. Confined to the loop.
 */
final class Engine implements Beat.Listener {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    /**
     * What the engine is told once and for all.
     *
     * @param lease null: a third of the negotiated session timeout
     * @param mostUnderWay how many requests may be under way when another candidate begins
     */
    record Config(String root, @Nullable Long lease, long recheckMillis, int mostUnderWay) {}

    private final Transition protocol;
    private final Timers timers;
    private final Clock clock;
    private final Config config;
    private final Supplier<String> guids;
    private final ConnectionListener listener;
    private final Sequence steps = new Sequence();
    private final Agenda agenda;
    private final Line line;
    private final Bundles bundles;
    private final Beat beat;
    private final Alarm beatAgain;
    private final Sightings sightings;
    private final Pulse pulse;
    private final Rechecks rechecks;
    private final Cells cells = new Cells();
    private final List<Companion> companions = new ArrayList<>();
    private long candidacies;
    private volatile boolean connected;
    private volatile long downSince;
    private volatile long session;
    private volatile long sessionTimeout;
    private @Nullable String obstacle;

    /** @param guids names for the beats, each of which no other connection has */
    Engine(
            Transition protocol,
            Wire wire,
            Timers timers,
            Clock clock,
            Config config,
            Supplier<String> guids,
            ConnectionListener listener) {
        this.protocol = protocol;
        this.timers = timers;
        this.clock = clock;
        this.config = config;
        this.guids = guids;
        this.listener = listener;
        this.agenda = new Agenda(this::at, clock, this::lease, config.mostUnderWay());
        this.line = new Line(wire, clock, steps, agenda, this::disconnected);
        this.bundles = new Bundles(line, steps, this::step);
        this.beat = new Beat(line, clock, config.root(), this);
        this.beatAgain = new Alarm(this::at, this::makeBeatAgain);
        this.sightings = new Sightings(line, this::at, clock);
        this.pulse = new Pulse(this::at, clock, this::lease, this::beatIfConnected, this::lapse);
        this.rechecks = new Rechecks(
                this::at, clock, config.recheckMillis(), cells::all, cell -> step(cell, new Signal.Recheck()));
        this.downSince = clock.nanos();
    }

    Cell open(Ballot.Setting setting, Outlet outlet) {
        Cell cell = new Cell(Ballot.of(setting), outlet);
        cells.add(cell);
        rechecks.begin(cell);
        return cell;
    }

    /** Forgets an election that is closed. */
    void forget(Cell cell) {
        cells.remove(cell);
    }

    void signal(Cell cell, Signal signal) {
        steps.execute(() -> step(cell, signal));
    }

    /** The way to ZooKeeper for whoever else uses the connection. */
    Wire wire() {
        return line;
    }

    boolean isConnected() {
        return connected;
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
        steps.execute(() -> {
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
            listener.connected(sessionId, negotiatedTimeout);
            if (fresh) {
                beat.begin(guids.get());
            } else {
                if (!beat.isMade()) {
                    beat.make();
                } else if (line.keepsWatches()) {
                    // Before all that is read again, however much that is.
                    pulse.beatIfLeading();
                }
                sightings.reconnected();
            }
            tellAll(new Signal.Connected());
            companions().forEach(Companion::connected);
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
        steps.execute(() -> {
            if (connected) {
                down();
                sightings.disconnected();
                tellAll(new Signal.Disconnected(line.keepsWatches()));
            }
        });
    }

    /** The session is over, and whatever is still answered on it counts for nothing. */
    void expired() {
        steps.execute(this::expire);
    }

    private void down() {
        downSince = clock.nanos();
        connected = false;
        listener.disconnected();
    }

    private void expire() {
        if (connected) {
            down();
        }
        line.expired();
        bundles.expired();
        session = 0;
        sightings.expired();
        tellAll(new Signal.Expired());
    }

    void event(String path, EventType type) {
        steps.execute(() -> {
            sightings(path, type);
            companions().forEach(companion -> companion.changed(path, type));
            Signal changed = new Signal.Changed(path, type);
            cells.at(Paths.parent(path)).forEach(cell -> step(cell, changed));
            cells.at(path).forEach(cell -> step(cell, changed));
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
        steps.execute(() -> {
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
        listener.ready();
    }

    /** Told once; tried again until it is permitted. */
    @Override
    public void refused(ElectionException cause) {
        if (!Objects.equals(cause.getMessage(), obstacle)) {
            obstacle = cause.getMessage();
            listener.refused(cause);
        }
        beatAgain.noLaterThan(clock.nanos() + 1_000_000_000L);
    }

    private void makeBeatAgain() {
        if (obstacle != null && connected) {
            beat.make();
        }
    }

    @Override
    public void acknowledged(Moment sent) {
        listener.acknowledged((clock.nanos() - sent.nanos()) / 1_000_000, lease());
        for (Cell cell : cells.all()) {
            if (needsProof(cell.ballot().stage())) {
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
        cell.ballot().leading().ifPresent(leading -> step(cell, new Signal.Lapsed(leading.term())));
    }

    // elections

    /** Ends an election for everyone. */
    void delete(String path, Runnable done, Consumer<ElectionException> failed) {
        delete(path, false, done, failed);
    }

    private void delete(String path, boolean marked, Runnable done, Consumer<ElectionException> failed) {
        add(new Deletion(path, line, this::at, clock, this::sessionTimeout, marked, done, failed));
    }

    void add(Companion companion) {
        steps.execute(() -> {
            companions.add(companion);
            if (connected) {
                companion.connected();
            }
        });
    }

    /** A copy: whoever is told of something may bring others along. */
    private List<Companion> companions() {
        companions.removeIf(Companion::isOver);
        return List.copyOf(companions);
    }

    /** Wakes up in good order with everything else. */
    void at(long nanos, Runnable task) {
        timers.at(nanos, () -> steps.execute(task));
    }

    /** A failure of one election is its own: the others, and what drives them all, go on. */
    private void step(Cell cell, Signal signal) {
        try {
            take(cell, signal);
        } catch (RuntimeException bug) {
            String what = "Unexpected failure of the election at %s (%s)"
                    .formatted(cell.path(), signal.getClass().getSimpleName());
            log.error(what, bug);
            cell.outlet().failed(new ElectionException(what, bug));
        }
    }

    private void take(Cell cell, Signal signal) {
        View view = new View(
                clock.now(),
                connected,
                agenda.hasRoom(),
                session,
                sessionTimeout,
                lease(),
                beat.path(),
                sightings::last,
                this::newGuid);
        if (signal instanceof Signal.Replied replied) {
            cell.replied(replied);
        }
        Ballot before = cell.ballot();
        Transition.Step step = protocol.apply(before, signal, view);
        cell.ballot(step.ballot());
        followBeat(before.observedBeat(), step.ballot().observedBeat());
        pulse.follow(cell);
        for (Command command : step.commands()) {
            execute(cell, command);
        }
    }

    /** Unique because the beat's is: no candidacy needs a random number of its own. */
    private String newGuid() {
        return Paths.name(beat.path()) + Long.toString(++candidacies, Character.MAX_RADIX);
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
            send(cell, send);
        } else if (command instanceof Command.SendTogether together) {
            if (together.urgent()) {
                sendTogether(cell, together.reads());
            } else {
                bundles.add(cell, together.reads());
            }
        } else if (command instanceof Command.Beat) {
            beat.ensure(pulse.interval());
        } else if (command instanceof Command.MakeBeat) {
            beat.make();
        } else if (command instanceof Command.Wake wake) {
            timers.at(wake.nanos(), () -> signal(cell, new Signal.Woken(wake.flight())));
        } else if (command instanceof Command.WakeWhenIdle wake) {
            agenda.whenIdle(() -> step(cell, new Signal.Woken(wake.flight())));
        } else if (command instanceof Command.SendWhenIdle later) {
            agenda.whenIdle(() -> send(cell, later.send()));
        } else if (command instanceof Command.WakeWhenThereIsRoom wake) {
            agenda.whenThereIsRoom(() -> step(cell, new Signal.Woken(wake.flight())));
        } else if (command instanceof Command.Granted granted) {
            cell.outlet().granted(granted.term());
        } else if (command instanceof Command.Revoked revoked) {
            cell.outlet().revoked(revoked.term(), revoked.reason());
        } else if (command instanceof Command.Drain drain) {
            cell.outlet().drain(drain.term());
        } else if (command instanceof Command.Left left) {
            cell.outlet().left(left.confirmed());
        } else if (command instanceof Command.Ended) {
            cell.outlet().ended();
        } else if (command instanceof Command.Failed failed) {
            cell.outlet().failed(failed.cause());
        } else if (command instanceof Command.Clear) {
            delete(
                    cell.path(),
                    true,
                    () -> signal(cell, new Signal.Cleared(null)),
                    refusal -> signal(cell, new Signal.Cleared(refusal)));
        }
    }

    private void send(Cell cell, Command.Send send) {
        line.send(send.request(), reply -> step(cell, new Signal.Replied(send, reply)));
    }

    private void sendTogether(Cell cell, List<Command.Send> reads) {
        List<Request> requests = reads.stream().map(Command.Send::request).toList();
        line.send(new Request.Reads(requests), reply -> {
            for (int i = 0; i < reads.size(); i++) {
                step(cell, new Signal.Replied(reads.get(i), reply.part(i)));
            }
        });
    }

    private void tellAll(Signal signal) {
        cells.all().forEach(cell -> step(cell, signal));
    }
}
