package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.protocol.View;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * All elections of one connection, and what they share: the heartbeat, timers, and the state of the connection. It
 * passes the connection's events on to the elections. Confined to the loop.
 */
public final class Engine {

    final StateMachine protocol;
    final Executor loop;
    final Timers timers;
    final Clock clock;
    final ConnectionListener listener;
    final ConnectionState connection;
    final RequestThrottle throttle;
    final SessionClient client;
    final ReadBatcher batcher;
    final Heartbeat heartbeat;
    final HeirConnections heirConnections;
    final @Nullable Spreader spreader;
    final HostedElections elections = new HostedElections();
    final ObservedHeartbeats observedHeartbeats = new ObservedHeartbeats(this);
    final HeartbeatTimer heartbeatTimer = new HeartbeatTimer(this);
    final ElectionTimer electionTimer;
    final Vacating vacating = new Vacating(this);
    final FormerConnections formerConnections = new FormerConnections(this);

    private final Supplier<String> guids;
    private final List<ConnectionTask> tasks = new ArrayList<>();
    private final Supplier<String> candidacyGuids = this::candidacyGuid;
    private long candidacies;

    /**
     * @param loop runs a task after the current one
     * @param guids supplies heartbeat names that are unique among all connections
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
        this.loop = loop;
        this.timers = timers;
        this.clock = clock;
        this.guids = guids;
        this.listener = listener;
        this.connection = new ConnectionState(clock, config);
        this.throttle = new RequestThrottle(this, config.mostUnderWay());
        this.client = new SessionClient(client, this);
        this.batcher = new ReadBatcher(this.client, loop);
        this.heartbeat = new Heartbeat(this, config.root());
        this.heirConnections = new HeirConnections(this);
        this.spreader = config.spread() == null ? null : new Spreader(this, config.spread());
        this.electionTimer = new ElectionTimer(this, config.recheckMillis());
    }

    // elections

    public HostedElection open(ElectionState.Config config, ElectionCallbacks callbacks) {
        HostedElection hosted = new HostedElection(this, ElectionState.of(config), callbacks);
        elections.add(hosted);
        electionTimer.set(hosted);
        return hosted;
    }

    public void forget(HostedElection hosted) {
        elections.remove(hosted);
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
                heartbeat.serverAhead(),
                observedHeartbeats,
                heirConnections.heirs(),
                () -> spreader == null ? null : spreader.receiver(hosted),
                candidacyGuids);
    }

    /** Unique because the heartbeat's name is: a candidacy needs no random number of its own. */
    private String candidacyGuid() {
        return Paths.name(heartbeat.path()) + "." + Long.toString(++candidacies, Character.MAX_RADIX);
    }

    private void tellAll(Event event) {
        for (HostedElection hosted : elections.all()) {
            hosted.handle(event);
        }
    }

    // others on the same connection

    /** The client for other users of the connection. */
    public AsyncClient client() {
        return client;
    }

    public ConnectionState connection() {
        return connection;
    }

    /** Runs a task on the loop when that many nanoseconds have passed; any thread may call it. */
    public void after(long nanos, Runnable task) {
        timers.at(clock.nanos() + nanos, task);
    }

    void add(ConnectionTask task) {
        tasks.add(task);
        if (connection.isUp()) {
            task.connected();
        }
    }

    /** A copy, because a task that is notified may add others. */
    private List<ConnectionTask> tasks() {
        if (!tasks.isEmpty()) {
            tasks.removeIf(ConnectionTask::isOver);
        }
        return List.copyOf(tasks);
    }

    /**
     * Ends an election for everyone.
     *
     * @param marked whether it has ended already: then only its remains are deleted, and never another election
     * @return completes when ZooKeeper has answered for the first time
     */
    public CompletableFuture<Void> delete(
            String path, boolean marked, Runnable done, Consumer<ElectionException> failed) {
        var deletion = new ElectionDeletion(this, path, marked, done, failed);
        add(deletion);
        return deletion.answered();
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
                // Before all reads that follow the reconnect, however many there are.
                heartbeatTimer.beatIfNeeded();
            }
            observedHeartbeats.reconnected();
        }
        tellAll(new Event.Connected());
        for (ConnectionTask task : tasks()) {
            task.connected();
        }
    }

    /** Each reconnect negotiates anew. The client may report the connection first, so the timeout may come later. */
    private void negotiated(long timeout) {
        if (connection.negotiated(timeout)) {
            heartbeatTimer.leaseChanged();
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

    /** Withdraws all candidates from the current session, which is about to be replaced. None joins meanwhile. */
    void vacate(Runnable done) {
        vacating.begin(done);
        // If the connection works, nothing is lost: work may finish before the leadership is handed over.
        boolean works = connection.isUp();
        tellAll(new Event.Rejoin(works ? RevocationReason.STEPPED_DOWN : RevocationReason.SESSION_EXPIRED));
        vacating.endIfVacated();
    }

    /** The session is over: replies that still arrive on it no longer count. */
    public void expired() {
        if (connection.isUp()) {
            down();
        }
        if (connection.session() != 0) {
            formerConnections.add(Paths.name(heartbeat.path()));
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
        for (ConnectionTask task : tasks()) {
            task.changed(path, type);
        }
        Event changed = new Event.Changed(path, type);
        for (HostedElection hosted : elections.at(Paths.parent(path))) {
            hosted.handle(changed);
        }
        for (HostedElection hosted : elections.at(path)) {
            hosted.handle(changed);
        }
    }

    /** Deletes the heartbeat; everything else has gone with its election. */
    public void close(Runnable done) {
        var closed = new ElectionClosedException("All elections of the connection were closed");
        for (ConnectionTask task : tasks()) {
            task.closed(closed);
        }
        tasks.clear();
        heartbeat.end();
        if (connection.isUp()) {
            observedHeartbeats.end();
            heartbeat.delete(done);
        } else {
            done.run();
        }
    }

    // the heartbeat

    /**
     * Another client has deleted or replaced the heartbeat's node. The candidacies of this connection name a
     * heartbeat that is gone: they end, and begin again with another one.
     */
    void heartbeatLost() {
        listener.heartbeatLost(heartbeat.path());
        heartbeat.begin(guids.get());
        tellAll(new Event.Rejoin(RevocationReason.NODE_LOST));
    }

    void heartbeatAcknowledged(Moment sent) {
        listener.acknowledged((clock.nanos() - sent.nanos()) / 1_000_000, connection.lease());
        for (HostedElection hosted : elections.all()) {
            if (hosted.election().state() instanceof Queued) {
                hosted.handle(new Event.Acknowledged(sent));
            }
        }
    }
}
