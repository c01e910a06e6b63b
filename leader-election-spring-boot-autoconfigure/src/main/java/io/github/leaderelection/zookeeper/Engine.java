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
 * Everything that one connection's elections do: takes signals to the protocol, has its commands carried out, and keeps
 * what belongs to the connection. Confined to the loop.
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
    private final Supplier<String> guids;
    private final ConnectionListener listener;
    private final Sequence steps = new Sequence();
    private final Link link;
    private final Agenda agenda;
    private final Line line;
    private final Bundles bundles;
    private final Beat beat;
    private final Alarm beatAgain;
    private final Sightings sightings;
    private final Pulse pulse;
    private final Rechecks rechecks;
    private final Clerk clerk;
    private final Cells cells = new Cells();
    private final List<Companion> companions = new ArrayList<>();
    private long candidacies;
    private boolean beatRefused;

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
        this.guids = guids;
        this.listener = listener;
        this.link = new Link(clock, config.lease());
        this.agenda = new Agenda(this::at, clock, link::lease, config.mostUnderWay());
        this.line = new Line(wire, clock, steps, agenda, this::disconnected);
        this.bundles = new Bundles(line, steps, this::step);
        this.beat = new Beat(line, clock, config.root(), this);
        this.beatAgain = new Alarm(this::at, this::makeBeatAgain);
        this.sightings = new Sightings(line, this::at, clock);
        this.pulse = new Pulse(this::at, clock, link::lease, cells::all, this::beatIfConnected, this::lapse);
        this.rechecks = new Rechecks(
                this::at, clock, config.recheckMillis(), cells::all, cell -> step(cell, new Signal.Recheck()));
        this.clerk = new Clerk(line, bundles, agenda, beat, pulse, this::at, this::step, this::clear);
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

    Link link() {
        return link;
    }

    // the connection

    /** The connection is usable: the first time, again after it was lost, or on a new session. */
    void connected(long sessionId, long negotiatedTimeout) {
        steps.execute(() -> {
            boolean fresh = sessionId != link.session();
            if (link.isUp() && !fresh) {
                negotiated(negotiatedTimeout);
                return;
            }
            if (fresh && link.session() != 0) {
                expire();
            }
            link.up(sessionId);
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
        if (link.negotiated(timeout)) {
            pulse.leaseChanged();
            Long refused = link.refusedLease();
            if (refused != null) {
                listener.leaseShortened(refused, link.lease());
            }
        }
    }

    void disconnected() {
        steps.execute(() -> {
            if (link.isUp()) {
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
        link.down();
        listener.disconnected();
    }

    private void expire() {
        if (link.isUp()) {
            down();
        }
        line.expired();
        bundles.expired();
        link.expired();
        sightings.expired();
        tellAll(new Signal.Expired());
    }

    /** What there is of ours on the present session. */
    List<String> nodes() {
        List<String> nodes = new ArrayList<>();
        for (Cell cell : cells.all()) {
            Stage stage = cell.ballot().stage();
            if (stage instanceof Stage.Seated seated) {
                nodes.add(seated.seat().path());
            } else if (stage instanceof Stage.Leaving leaving && leaving.seat() != null) {
                nodes.add(leaving.seat().path());
            }
        }
        if (beat.isMade()) {
            nodes.add(beat.path());
        }
        return nodes;
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
            beatRefused = false;
            companions.clear();
            if (link.isUp()) {
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
        beatRefused = false;
        listener.ready();
    }

    /** Tried again until it is permitted. */
    @Override
    public void refused(ElectionException cause) {
        beatRefused = true;
        listener.refused(cause);
        beatAgain.noLaterThan(clock.nanos() + 1_000_000_000L);
    }

    private void makeBeatAgain() {
        if (beatRefused && link.isUp()) {
            beat.make();
        }
    }

    @Override
    public void acknowledged(Moment sent) {
        listener.acknowledged((clock.nanos() - sent.nanos()) / 1_000_000, link.lease());
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
        if (link.isUp()) {
            beat.send();
        }
    }

    private void lapse(Cell cell) {
        cell.ballot().leading().ifPresent(leading -> step(cell, new Signal.Lapsed(leading.term())));
    }

    // elections

    /** Deletes what is left of an ended election. */
    private void clear(Cell cell) {
        delete(
                cell.path(),
                true,
                () -> signal(cell, new Signal.Cleared(null)),
                refusal -> signal(cell, new Signal.Cleared(refusal)));
    }

    /**
     * Ends an election for everyone.
     *
     * @param marked whether it has ended already: then only what is left of it is deleted, and never another one
     */
    void delete(String path, boolean marked, Runnable done, Consumer<ElectionException> failed) {
        add(new Deletion(path, line, this::at, clock, link::sessionTimeout, marked, done, failed));
    }

    void add(Companion companion) {
        steps.execute(() -> {
            companions.add(companion);
            if (link.isUp()) {
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

    private void step(Cell cell, Signal signal) {
        attempt(cell, signal, () -> {
            for (Command command : take(cell, signal)) {
                attempt(cell, command, () -> clerk.execute(cell, command));
            }
        });
    }

    /**
     * A failure of one election is its own: the others, and what drives them all, go on. So does what else a step brings
     * about, since nobody would ask for it again.
     */
    private static void attempt(Cell cell, Object what, Runnable action) {
        try {
            action.run();
        } catch (Throwable bug) {
            // An Error, too: at the limit of a container no thread can be started.
            String complaint = "Unexpected failure of the election at %s (%s)"
                    .formatted(cell.path(), what.getClass().getSimpleName());
            log.error(complaint, bug);
            cell.outlet().failed(new ElectionException(complaint, bug));
        }
    }

    private List<Command> take(Cell cell, Signal signal) {
        View view = new View(
                clock.now(),
                link.isUp(),
                agenda.hasRoom(),
                link.session(),
                link.sessionTimeout(),
                link.lease(),
                beat.path(),
                sightings::last,
                this::newGuid);
        if (signal instanceof Signal.Replied replied) {
            cell.replied(replied);
        }
        Ballot before = cell.ballot();
        Transition.Step step = protocol.apply(before, signal, view);
        attempt(cell, signal, () -> cell.ballot(step.ballot()));
        followBeat(before.observedBeat(), step.ballot().observedBeat());
        pulse.follow(cell);
        return step.commands();
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

    private void tellAll(Signal signal) {
        cells.all().forEach(cell -> step(cell, signal));
    }
}
