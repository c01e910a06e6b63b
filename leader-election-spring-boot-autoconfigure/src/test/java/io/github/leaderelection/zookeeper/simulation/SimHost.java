package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.engine.ConnectionListener;
import io.github.leaderelection.zookeeper.engine.Engine;
import io.github.leaderelection.zookeeper.engine.EngineConfig;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.protocol.Protocol;
import io.github.leaderelection.zookeeper.protocol.TakingOver;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A process: the real engine with its own clocks, timers, client and inbox. It can be paused and killed. */
final class SimHost {

    /** An acknowledged heartbeat: when it was sent, on which session, and where in the log it was committed. */
    record Proof(long sentNanos, long session, int index) {}

    private static final long NEVER_MILLIS = 1_000_000_000L;
    /** So few that elections often wait for each other. */
    private static final int MOST_REQUESTS = 4;

    private final Simulation simulation;
    private final String name;
    private final SimClock clock;
    private final int priority;
    private final @Nullable Long grace;
    private final @Nullable Duration preemptAfter;
    private final Clock engineClock;
    private final Engine engine;
    private final Deque<Runnable> inbox = new ArrayDeque<>();
    private final Deque<Runnable> onWaking = new ArrayDeque<>();
    private final Deque<Proof> proofs = new ArrayDeque<>();
    private final SimBeats beats = new SimBeats();
    private final List<SimElection> elections = new ArrayList<>();
    private final List<SimElection.LedNode> ledNodes = new ArrayList<>();
    private SimClient client;
    private boolean taskScheduled;
    private boolean asleep;
    private boolean dead;
    private long unreachableUntil;
    private int guids;
    private int deletions;

    SimHost(
            Simulation simulation,
            String name,
            SimClock clock,
            @Nullable Long lease,
            @Nullable Long grace,
            int priority) {
        this.simulation = simulation;
        this.name = name;
        this.clock = clock;
        this.priority = priority;
        this.grace = grace;
        this.preemptAfter = simulation.moves().preemptAfter();
        this.engineClock = simulation.mutation().clock(clock);
        AsyncClient client = simulation.mutation().client(new ToClient(), this);
        this.engine = new Engine(
                simulation.traced(this, simulation.mutation().protocol(new Protocol(), this)),
                client,
                this::post,
                this::timer,
                engineClock,
                // The engine's own rechecks have a random jitter that does not follow from the seed; see recheckLater.
                new EngineConfig(
                        Simulation.ROOT,
                        lease,
                        grace,
                        NEVER_MILLIS,
                        MOST_REQUESTS,
                        simulation.moves().spread()),
                () -> guid(++guids),
                new ConnectionListener() {
                    @Override
                    public void refused(ElectionException cause) {
                        trace("no heartbeat: %s", cause.getMessage());
                    }
                });
        this.client = newClient();
    }

    void start() {
        client.start();
        recheckLater();
    }

    private void recheckLater() {
        later(scheduler().millis(2_000, 6_000), () -> {
            // In one task, as the engine does it, so that their reads can share a packet.
            timer(
                    clock.nanos(),
                    () -> elections.stream()
                            .filter(election -> !election.isOver())
                            .forEach(SimElection::recheck));
            recheckLater();
        });
    }

    private String guid(int number) {
        return name + "g" + number;
    }

    /** Whether that node is a candidate's of an earlier session. */
    boolean isFormer(String path) {
        return NodeName.parse(Paths.name(path))
                .map(NodeName::connection)
                .filter(connection -> connection.startsWith(name + "g") && !connection.equals(guid(guids)))
                .isPresent();
    }

    // parts

    String name() {
        return name;
    }

    SimScheduler scheduler() {
        return simulation.scheduler();
    }

    SimQuorum quorum() {
        return simulation.quorum();
    }

    SimLatency latency() {
        return simulation.latency();
    }

    boolean mayHaveBusyListeners() {
        return simulation.busyListeners();
    }

    SimChecker checker() {
        return simulation.checker();
    }

    /** The time as the engine sees it. */
    Moment time() {
        return engineClock.now();
    }

    /** The priority of its candidates, see {@link SimSuccession}. */
    int priority() {
        return priority;
    }

    /** How long a candidate of a higher priority waits, see {@link SimMoves}. */
    @Nullable
    Duration preemptAfter() {
        return preemptAfter;
    }

    void moved() {
        simulation.moves().moved();
    }

    /** How much of its lease a leader does not use, as a fraction. */
    double grace() {
        return grace == null ? 1 / 6.0 : 0;
    }

    SimClock clock() {
        return clock;
    }

    Engine engine() {
        return engine;
    }

    SimClient client() {
        return client;
    }

    List<SimElection> elections() {
        return elections;
    }

    /** All nodes that this process has led with. */
    List<SimElection.LedNode> ledNodes() {
        return ledNodes;
    }

    Deque<Proof> proofs() {
        return proofs;
    }

    void trace(String format, Object... arguments) {
        simulation.trace().line(name, format, arguments);
    }

    // tasks

    SimElection open(ElectionState.Config config) {
        var election = new SimElection(this, config);
        elections.removeIf(SimElection::isOver);
        elections.add(election);
        post(election::open);
        return election;
    }

    void delete(String path) {
        post(() -> {
            deletions++;
            trace("deletes %s", path);
            var unused = engine.delete(
                    path,
                    false,
                    () -> {
                        deletions--;
                        trace("has deleted %s", path);
                        elections.stream()
                                .filter(election -> election.path().equals(path))
                                .forEach(election -> election.handle(new Event.Deleted()));
                    },
                    cause -> {
                        deletions--;
                        trace("%s", cause.getMessage());
                    });
        });
    }

    boolean isDeleting() {
        return deletions > 0;
    }

    void post(Runnable task) {
        if (!dead) {
            inbox.add(task);
            scheduleTask();
        }
    }

    /** Posts a watch event. Events and answers are handled in the order in which the client delivers them. */
    void postEvent(Runnable task) {
        long delay = simulation.mutation().eventsDelayedBy();
        if (delay == 0) {
            post(task);
        } else {
            later(delay, () -> post(task));
        }
    }

    private void scheduleTask() {
        if (!taskScheduled && !asleep && !inbox.isEmpty()) {
            taskScheduled = true;
            scheduler().after(latency().processing(), this::runTask);
        }
    }

    /** Runs one task, then checks the invariants. */
    private void runTask() {
        taskScheduled = false;
        if (dead || asleep) {
            return;
        }
        Runnable task = inbox.poll();
        if (task != null) {
            task.run();
            elections.forEach(SimElection::poll);
            simulation.checker().check();
        }
        scheduleTask();
    }

    void later(long delay, Runnable task) {
        scheduler().after(delay, () -> whenAwake(task));
    }

    private void timer(long nanos, Runnable task) {
        scheduler()
                .at(
                        clock.timeOf(nanos),
                        () -> whenAwake(() -> {
                            if (clock.nanos() < nanos) {
                                timer(nanos, task);
                            } else {
                                post(task);
                            }
                        }));
    }

    // requests

    private final class ToClient implements AsyncClient {
        @Override
        public void send(Request request, Consumer<Reply> answer) {
            SimHost.this.send(request, answer);
        }

        @Override
        public boolean keepsWatches() {
            return simulation.clientsKeepWatches();
        }
    }

    private void send(Request request, Consumer<Reply> answer) {
        if (!isDeleting()) {
            checkDeletions(request);
        }
        long sent = clock.nanos();
        boolean heartbeat = isHeartbeat(request);
        Optional<SimElection> takeOver = takeOver(request);
        SimPacket[] packet = new SimPacket[1];
        packet[0] = new SimPacket(request, reply -> {
            if (heartbeat) {
                beats.answered(scheduler().now());
            }
            if (heartbeat && reply.ok()) {
                prove(sent, packet[0].index);
            }
            takeOver.ifPresent(election -> election.takeOverAnswered(reply));
            answer.accept(reply);
        });
        if (heartbeat) {
            beats.sent(scheduler().now());
        }
        takeOver.ifPresent(SimElection::takeOverSent);
        client.send(packet[0]);
    }

    private void checkDeletions(Request request) {
        if (request instanceof Request.Delete delete) {
            String record = Paths.parent(delete.path()) + "/" + LeaderRecord.NODE;
            if (SimChecker.isEnded(quorum().tree().get(record))
                    || quorum().tree().get(delete.path()) == null) {
                // The deletion of an election is completed, which does not wait for the leader; or nothing is left to
                // delete.
                return;
            }
            elections.forEach(election -> election.beforeDelete(delete.path()));
        } else if (request instanceof Request.Multi multi) {
            multi.parts().forEach(this::checkDeletions);
        }
    }

    private static boolean isHeartbeat(Request request) {
        return request instanceof Request.Set set && set.path().startsWith(Simulation.HEARTBEATS)
                || request instanceof Request.Multi multi
                        && multi.parts().stream().anyMatch(SimHost::isHeartbeat);
    }

    /** The election that takes over by this request. */
    private Optional<SimElection> takeOver(Request request) {
        return elections.stream()
                .filter(election -> request instanceof Request.Multi
                        && election.state() instanceof TakingOver takingOver
                        && request.path().equals(takingOver.holder().heartbeat()))
                .findFirst();
    }

    /** Whether it does not send any heartbeat, although nothing keeps it from doing so. */
    boolean isSilentFor(long duration) {
        return !dead
                && !asleep
                && inbox.isEmpty()
                && client.connection() != null
                && beats.silentFor(duration, scheduler().now());
    }

    private void prove(long sent, int index) {
        SimQuorum.Session session = client.session();
        if (session != null) {
            proofs.addFirst(new Proof(sent, session.id, index));
            if (proofs.size() > 20) {
                proofs.removeLast();
            }
        }
    }

    /** A write of the application with a leader's guard. */
    void write(SimElection.LedNode ledNode) {
        String fenced = Paths.parent(ledNode.path());
        trace("guarded write with token %d", ledNode.token());
        client.send(new SimPacket(
                new Request.Set("/fenced" + fenced, new byte[0], -1),
                transaction -> {
                    Reply guard = simulation.mutation().guard(transaction, ledNode);
                    if (guard.ok()) {
                        simulation.checker().fencedWrite(fenced, ledNode);
                    }
                    return guard;
                },
                reply -> {}));
    }

    // the session

    void connected() {
        beats.resumed(scheduler().now());
    }

    void openSession() {
        client = newClient();
        client.start();
    }

    private SimClient newClient() {
        return new SimClient(this, scheduler().chance(0.7), simulation.clientsKeepWatches());
    }

    long negotiate() {
        return simulation.negotiate(this);
    }

    boolean isReachable() {
        return scheduler().now() >= unreachableUntil;
    }

    void cutOffUntil(long time) {
        unreachableUntil = time;
    }

    boolean meetsStaleServer() {
        return simulation.meetsStaleServer();
    }

    boolean refusesGrant() {
        return simulation.refusesGrant();
    }

    int oldestAcceptable() {
        return simulation.oldestAcceptable();
    }

    // faults

    boolean isDead() {
        return dead;
    }

    boolean isAsleep() {
        return asleep;
    }

    void whenAwake(Runnable task) {
        if (dead) {
            return;
        }
        if (asleep) {
            onWaking.add(task);
        } else {
            task.run();
        }
    }

    void sleep() {
        asleep = true;
        client.updateHealth();
    }

    void wake() {
        if (asleep) {
            asleep = false;
            clock.resume();
            beats.resumed(scheduler().now());
            client.updateHealth();
            for (Runnable task = onWaking.poll(); task != null && !asleep; task = onWaking.poll()) {
                task.run();
            }
            scheduleTask();
        }
    }

    void kill() {
        trace("is killed");
        client.end();
        dead = true;
        inbox.clear();
        onWaking.clear();
    }
}
