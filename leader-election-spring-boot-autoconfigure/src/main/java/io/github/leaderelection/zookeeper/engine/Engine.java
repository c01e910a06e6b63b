package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.protocol.State;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.protocol.View;
import io.github.leaderelection.zookeeper.znode.Paths;
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
public final class Engine implements Heartbeat.Listener {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    /**
     * What the engine is told once and for all.
     *
     * @param lease null: a third of the negotiated session timeout
     * @param mostUnderWay how many requests may be under way when another candidate begins
     */
    public record Config(String root, @Nullable Long lease, long recheckMillis, int mostUnderWay) {}

    private final StateMachine protocol;
    private final Timers timers;
    private final Clock clock;
    private final Supplier<String> guids;
    private final ConnectionListener listener;
    private final Sequence steps = new Sequence();
    private final ConnectionState connection;
    private final RequestThrottle throttle;
    private final SessionClient sessionClient;
    private final ReadBatcher batcher;
    private final Heartbeat heartbeat;
    private final DeadlineTimer beatAgain;
    private final ObservedHeartbeats observedHeartbeats;
    private final LeaseTimer leaseTimer;
    private final RecheckTimer recheckTimer;
    private final Clerk clerk;
    private final HostedElections elections = new HostedElections();
    private final List<ConnectionObserver> observers = new ArrayList<>();
    private long candidacies;
    private boolean beatRefused;

    /** @param guids names for the beats, each of which no other connection has */
    public Engine(
            StateMachine protocol,
            AsyncClient client,
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
        this.connection = new ConnectionState(clock, config.lease());
        this.throttle = new RequestThrottle(this::at, clock, connection::lease, config.mostUnderWay());
        this.sessionClient = new SessionClient(client, clock, steps, throttle, this::disconnected);
        this.batcher = new ReadBatcher(sessionClient, steps, this::step);
        this.heartbeat = new Heartbeat(sessionClient, clock, config.root(), this);
        this.beatAgain = new DeadlineTimer(this::at, this::makeBeatAgain);
        this.observedHeartbeats = new ObservedHeartbeats(sessionClient, this::at, clock);
        this.leaseTimer =
                new LeaseTimer(this::at, clock, connection::lease, elections::all, this::beatIfConnected, this::lapse);
        this.recheckTimer = new RecheckTimer(
                this::at, clock, config.recheckMillis(), elections::all, hosted -> step(hosted, new Event.Recheck()));
        this.clerk =
                new Clerk(sessionClient, batcher, throttle, heartbeat, leaseTimer, this::at, this::step, this::clear);
    }

    public HostedElection open(ElectionState.Config config, ElectionCallbacks callbacks) {
        HostedElection hosted = new HostedElection(ElectionState.of(config), callbacks);
        elections.add(hosted);
        recheckTimer.begin(hosted);
        return hosted;
    }

    /** Forgets an election that is closed. */
    public void forget(HostedElection hosted) {
        elections.remove(hosted);
    }

    public void handle(HostedElection hosted, Event event) {
        steps.execute(() -> step(hosted, event));
    }

    /** The way to ZooKeeper for whoever else uses the connection. */
    public AsyncClient client() {
        return sessionClient;
    }

    public ConnectionState connection() {
        return connection;
    }

    // the connection

    /** The connection is usable: the first time, again after it was lost, or on a new session. */
    public void connected(long sessionId, long negotiatedTimeout) {
        steps.execute(() -> {
            boolean fresh = sessionId != connection.session();
            if (connection.isUp() && !fresh) {
                negotiated(negotiatedTimeout);
                return;
            }
            if (fresh && connection.session() != 0) {
                expire();
            }
            connection.up(sessionId);
            negotiated(negotiatedTimeout);
            listener.connected(sessionId, negotiatedTimeout);
            if (fresh) {
                heartbeat.begin(guids.get());
            } else {
                if (!heartbeat.isMade()) {
                    heartbeat.make();
                } else if (sessionClient.keepsWatches()) {
                    // Before all that is read again, however much that is.
                    leaseTimer.beatIfLeading();
                }
                observedHeartbeats.reconnected();
            }
            tellAll(new Event.Connected());
            observers().forEach(ConnectionObserver::connected);
        });
    }

    /** Each reconnect negotiates anew. The client says that it is connected before it has, so it may come later. */
    private void negotiated(long timeout) {
        if (connection.negotiated(timeout)) {
            leaseTimer.leaseChanged();
            Long refused = connection.refusedLease();
            if (refused != null) {
                listener.leaseShortened(refused, connection.lease());
            }
        }
    }

    public void disconnected() {
        steps.execute(() -> {
            if (connection.isUp()) {
                down();
                observedHeartbeats.disconnected();
                tellAll(new Event.Disconnected(sessionClient.keepsWatches()));
            }
        });
    }

    /** The session is over, and whatever is still answered on it counts for nothing. */
    public void expired() {
        steps.execute(this::expire);
    }

    private void down() {
        connection.down();
        listener.disconnected();
    }

    private void expire() {
        if (connection.isUp()) {
            down();
        }
        sessionClient.expired();
        batcher.expired();
        connection.expired();
        observedHeartbeats.expired();
        tellAll(new Event.Expired());
    }

    /** What there is of ours on the present session. */
    List<String> nodes() {
        List<String> nodes = new ArrayList<>();
        for (HostedElection hosted : elections.all()) {
            State state = hosted.election().state();
            if (state instanceof State.Queued queued) {
                nodes.add(queued.ownNode().path());
            } else if (state instanceof State.Leaving leaving && leaving.ownNode() != null) {
                nodes.add(leaving.ownNode().path());
            }
        }
        if (heartbeat.isMade()) {
            nodes.add(heartbeat.path());
        }
        return nodes;
    }

    public void watchTriggered(String path, EventType type) {
        steps.execute(() -> {
            observedHeartbeats(path, type);
            observers().forEach(observer -> observer.changed(path, type));
            Event changed = new Event.Changed(path, type);
            elections.at(Paths.parent(path)).forEach(hosted -> step(hosted, changed));
            elections.at(path).forEach(hosted -> step(hosted, changed));
        });
    }

    private void observedHeartbeats(String path, EventType type) {
        if (type == EventType.PersistentWatchRemoved) {
            observedHeartbeats.unwatched(path);
        } else if (type != EventType.NodeDeleted) {
            // A deletion is no beat: it comes when the session has expired, long after the last one.
            observedHeartbeats.changed(path);
        }
    }

    /** Deletes the beat; what else there was on the connection has gone with its elections. */
    public void close(Runnable done) {
        steps.execute(() -> {
            beatRefused = false;
            observers.clear();
            if (connection.isUp()) {
                observedHeartbeats.end();
                heartbeat.delete(done);
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
        if (beatRefused && connection.isUp()) {
            heartbeat.make();
        }
    }

    @Override
    public void acknowledged(Moment sent) {
        listener.acknowledged((clock.nanos() - sent.nanos()) / 1_000_000, connection.lease());
        for (HostedElection hosted : elections.all()) {
            if (needsProof(hosted.election().state())) {
                step(hosted, new Event.Acknowledged(sent));
            }
        }
    }

    private static boolean needsProof(State state) {
        return state instanceof State.Leading
                || state instanceof State.Named
                || state instanceof State.Evaluating
                || state instanceof State.Succeeding
                || state instanceof State.Following;
    }

    private void beatIfConnected() {
        if (connection.isUp()) {
            heartbeat.send();
        }
    }

    private void lapse(HostedElection hosted) {
        hosted.election().leading().ifPresent(leading -> step(hosted, new Event.Lapsed(leading.term())));
    }

    // elections

    /** Deletes what is left of an ended election. */
    private void clear(HostedElection hosted) {
        delete(
                hosted.path(),
                true,
                () -> handle(hosted, new Event.Cleared(null)),
                refusal -> handle(hosted, new Event.Cleared(refusal)));
    }

    /**
     * Ends an election for everyone.
     *
     * @param marked whether it has ended already: then only what is left of it is deleted, and never another one
     */
    public void delete(String path, boolean marked, Runnable done, Consumer<ElectionException> failed) {
        add(new ElectionDeletion(
                path, sessionClient, this::at, clock, connection::sessionTimeout, marked, done, failed));
    }

    public void add(ConnectionObserver observer) {
        steps.execute(() -> {
            observers.add(observer);
            if (connection.isUp()) {
                observer.connected();
            }
        });
    }

    /** A copy: whoever is told of something may bring others along. */
    private List<ConnectionObserver> observers() {
        observers.removeIf(ConnectionObserver::isOver);
        return List.copyOf(observers);
    }

    /** Wakes up in good order with everything else. */
    public void at(long nanos, Runnable task) {
        timers.at(nanos, () -> steps.execute(task));
    }

    private void step(HostedElection hosted, Event event) {
        attempt(hosted, event, () -> {
            for (Command command : take(hosted, event)) {
                attempt(hosted, command, () -> clerk.execute(hosted, command));
            }
        });
    }

    /**
     * A failure of one election is its own: the others, and what drives them all, go on. So does what else a step brings
     * about, since nobody would ask for it again.
     */
    private static void attempt(HostedElection hosted, Object what, Runnable action) {
        try {
            action.run();
        } catch (Throwable bug) {
            // An Error, too: at the limit of a container no thread can be started.
            String complaint = "Unexpected failure of the election at %s (%s)"
                    .formatted(hosted.path(), what.getClass().getSimpleName());
            log.error(complaint, bug);
            hosted.callbacks().failed(new ElectionException(complaint, bug));
        }
    }

    private List<Command> take(HostedElection hosted, Event event) {
        View view = new View(
                clock.now(),
                connection.isUp(),
                throttle.hasRoom(),
                connection.session(),
                connection.sessionTimeout(),
                connection.lease(),
                heartbeat.path(),
                observedHeartbeats::last,
                this::newGuid);
        if (event instanceof Event.Replied replied) {
            hosted.replied(replied);
        }
        ElectionState before = hosted.election();
        StateMachine.Outcome outcome = protocol.apply(before, event, view);
        attempt(hosted, event, () -> hosted.election(outcome.election()));
        followBeat(before.observedHeartbeat(), outcome.election().observedHeartbeat());
        leaseTimer.follow(hosted);
        return outcome.commands();
    }

    /** Unique because the beat's is: no candidacy needs a random number of its own. */
    private String newGuid() {
        return Paths.name(heartbeat.path()) + Long.toString(++candidacies, Character.MAX_RADIX);
    }

    private void followBeat(@Nullable String before, @Nullable String after) {
        if (!Objects.equals(before, after)) {
            if (after != null) {
                observedHeartbeats.observe(after);
            }
            if (before != null) {
                observedHeartbeats.release(before);
            }
        }
    }

    private void tellAll(Event event) {
        elections.all().forEach(hosted -> step(hosted, event));
    }
}
