package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.Sighting;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.protocol.View;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * All elections of one connection, and what they share: the heartbeat, timers, and the state of the connection. It passes
 * what happens on the connection to the elections. Confined to the loop.
 */
public final class Engine implements Heartbeat.Listener {

    final StateMachine protocol;
    final Clock clock;
    final Timers timers;
    final RequestThrottle throttle;
    final ReadBatcher batcher;
    final Heartbeat heartbeat;
    final ObservedHeartbeats observedHeartbeats;
    final LeaseTimer leaseTimer;
    final HeirConnections heirConnections;
    final @Nullable Spreader spreader;
    final Vacating vacating;
    final HostedElections elections = new HostedElections();

    private final Supplier<String> guids;
    private final ConnectionListener listener;
    private final ConnectionState connection;
    final SessionClient client;
    private final RecheckTimer recheckTimer;
    private final ConnectionObservers observers = new ConnectionObservers();
    private final Function<String, @Nullable Sighting> sightings;
    private final Supplier<String> candidacyGuids = this::candidacyGuid;
    private long candidacies;

    /**
     * @param loop runs a task after the present one
     * @param guids names for heartbeats, each of which no other connection has
     */
    public Engine(
            StateMachine protocol,
            AsyncClient client,
            Executor loop,
            Timers timers,
            Clock clock,
            EngineConfig config,
            Supplier<String> guids,
            ConnectionListener listener) {
        this.protocol = protocol;
        this.timers = timers;
        this.clock = clock;
        this.guids = guids;
        this.listener = listener;
        this.connection = new ConnectionState(clock, config.lease(), config.grace());
        this.throttle = new RequestThrottle(config.mostUnderWay());
        this.client = new SessionClient(client, clock, throttle, this::disconnected);
        this.batcher = new ReadBatcher(this.client, loop);
        this.heartbeat = new Heartbeat(this.client, timers, clock, config.root(), this);
        this.observedHeartbeats = new ObservedHeartbeats(this.client, timers, clock);
        this.sightings = observedHeartbeats::last;
        this.leaseTimer = new LeaseTimer(timers, clock, connection, elections, heartbeat);
        this.heirConnections =
                new HeirConnections(this.client, timers, clock, connection, Heartbeat.parent(config.root()), elections);
        EngineConfig.Spread spread = config.spread();
        this.spreader = spread == null
                ? null
                : new Spreader(this.client, timers, clock, connection, heartbeat, elections, spread);
        this.vacating = new Vacating(timers, clock, connection, elections);
        this.recheckTimer = new RecheckTimer(timers, clock, config.recheckMillis(), elections);
    }

    // elections

    public HostedElection open(ElectionState.Config config, ElectionCallbacks callbacks) {
        HostedElection hosted = new HostedElection(this, ElectionState.of(config), callbacks);
        elections.add(hosted);
        recheckTimer.begin(hosted);
        return hosted;
    }

    /** Forgets an election that is closed. */
    public void forget(HostedElection hosted) {
        elections.remove(hosted);
    }

    /** The nodes that we have on the present session. */
    List<String> nodes() {
        List<String> nodes = elections.nodes();
        if (heartbeat.isCreated()) {
            nodes.add(heartbeat.path());
        }
        return nodes;
    }

    View view(HostedElection hosted) {
        return new View(
                clock.now(),
                connection.isUp(),
                throttle.hasRoom() && !vacating.isUnderWay(),
                connection.session(),
                connection.sessionTimeout(),
                connection.lease(),
                connection.grace(),
                heartbeat.path(),
                heartbeat.czxid(),
                heartbeat.led(),
                sightings,
                heirConnections.heirs(),
                () -> spreader == null ? null : spreader.receiver(hosted),
                candidacyGuids);
    }

    /** Unique because the heartbeat's is: a candidacy needs no random number of its own. */
    private String candidacyGuid() {
        return Paths.name(heartbeat.path()) + "." + Long.toString(++candidacies, Character.MAX_RADIX);
    }

    private void tellAll(Event event) {
        for (HostedElection hosted : elections.all()) {
            hosted.handle(event);
        }
    }

    // others on the same connection

    /** The way to ZooKeeper for others that use the connection. */
    public AsyncClient client() {
        return client;
    }

    public ConnectionState connection() {
        return connection;
    }

    public Timers timers() {
        return timers;
    }

    public void add(ConnectionObserver observer) {
        observers.add(observer);
        if (connection.isUp()) {
            observer.connected();
        }
    }

    /**
     * Ends an election for everyone.
     *
     * @param marked whether it has ended already: then only its remains are deleted, and never another election
     */
    public void delete(String path, boolean marked, Runnable done, Consumer<ElectionException> failed) {
        add(new ElectionDeletion(path, client, timers, clock, connection::sessionTimeout, marked, done, failed));
    }

    // the connection

    /** The connection can be used: for the first time, after it was lost, or on a new session. */
    public void connected(long sessionId, long negotiatedTimeout) {
        boolean fresh = sessionId != connection.session();
        if (connection.isUp() && !fresh) {
            negotiated(negotiatedTimeout);
            return;
        }
        if (fresh && connection.session() != 0) {
            expired();
        }
        connection.up(sessionId);
        negotiated(negotiatedTimeout);
        listener.connected(sessionId, negotiatedTimeout);
        if (fresh) {
            heartbeat.begin(guids.get());
        } else {
            if (!heartbeat.isCreated()) {
                heartbeat.create();
            } else if (client.keepsWatches()) {
                // Before everything that is read again, however much that is.
                leaseTimer.beatIfNeeded();
            }
            observedHeartbeats.reconnected();
        }
        tellAll(new Event.Connected());
        observers.tell(ConnectionObserver::connected);
    }

    /** Each reconnect negotiates anew. The client reports that it is connected before it has, so this may come later. */
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
        if (connection.isUp()) {
            down();
            observedHeartbeats.disconnected();
            tellAll(new Event.Disconnected(client.keepsWatches()));
            vacating.endIfVacated();
        }
    }

    /** Leaves everything on the present session, which is about to be replaced. No candidate joins until that is done. */
    void vacate(Runnable done) {
        vacating.begin(done);
        // Where the connection works, this is no loss: work may finish before the leadership is handed over.
        boolean works = connection.isUp();
        tellAll(new Event.Rejoin(works ? RevocationReason.STEPPED_DOWN : RevocationReason.SESSION_EXPIRED));
        vacating.endIfVacated();
    }

    /** The session is over: replies that still arrive on it no longer count. */
    public void expired() {
        if (connection.isUp()) {
            down();
        }
        client.expired();
        connection.expired();
        observedHeartbeats.expired();
        tellAll(new Event.Expired());
    }

    private void down() {
        connection.down();
        listener.disconnected();
    }

    public void watchTriggered(String path, EventType type) {
        observedHeartbeats.watchTriggered(path, type);
        observers.tell(observer -> observer.changed(path, type));
        Event changed = new Event.Changed(path, type);
        elections.at(Paths.parent(path)).forEach(hosted -> hosted.handle(changed));
        elections.at(path).forEach(hosted -> hosted.handle(changed));
    }

    /** Deletes the heartbeat; everything else has gone with its election. */
    public void close(Runnable done) {
        observers.clear();
        heartbeat.end();
        if (connection.isUp()) {
            observedHeartbeats.end();
            heartbeat.delete(done);
        } else {
            done.run();
        }
    }

    // the heartbeat

    @Override
    public void created() {
        listener.ready();
    }

    /** The candidacies of this connection name a heartbeat that is gone: they end, and begin again with another one. */
    @Override
    public void lost() {
        listener.heartbeatLost(heartbeat.path());
        heartbeat.begin(guids.get());
        tellAll(new Event.Rejoin(RevocationReason.NODE_LOST));
    }

    @Override
    public void refused(ElectionException cause) {
        listener.refused(cause);
    }

    @Override
    public void acknowledged(Moment sent) {
        listener.acknowledged((clock.nanos() - sent.nanos()) / 1_000_000, connection.lease());
        for (HostedElection hosted : elections.all()) {
            if (hosted.election().state() instanceof Queued) {
                hosted.handle(new Event.Acknowledged(sent));
            }
        }
    }
}
