package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.engine.ConnectionListener;
import io.github.leaderelection.zookeeper.engine.Engine;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.protocol.Protocol;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One process: the real engine, with clocks, timers, a client and an inbox of its own; it can be paused, and die. */
final class SimHost {

    /** An acknowledged write that proves the session: when it was sent, on which session, and where it was committed. */
    record Proof(long sentNanos, long session, int index) {}

    private static final long NEVER_MILLIS = 1_000_000_000L;
    /** So that one election often has to wait for another. */
    private static final int LITTLE_ROOM = 4;

    private final Simulation simulation;
    private final String name;
    private final SimClock clock;
    private final Clock measure;
    private final Engine engine;
    private final Deque<Runnable> inbox = new ArrayDeque<>();
    private final Deque<Runnable> onWaking = new ArrayDeque<>();
    private final Deque<Proof> proofs = new ArrayDeque<>();
    private final List<SimElection> elections = new ArrayList<>();
    private final List<SimElection.Reigned> reigns = new ArrayList<>();
    private SimClient client;
    private boolean turnPlanned;
    private boolean asleep;
    private boolean dead;
    private long unreachableUntil;
    private int guids;
    private int deletions;

    SimHost(Simulation simulation, String name, SimClock clock, @Nullable Long lease) {
        this.simulation = simulation;
        this.name = name;
        this.clock = clock;
        this.measure = simulation.mutation().clock(clock);
        AsyncClient client = simulation.mutation().client(new ToClient(), this);
        this.engine = new Engine(
                simulation.traced(this, simulation.mutation().protocol(new Protocol())),
                client,
                this::post,
                this::timer,
                measure,
                // The engine's own rechecks have a jitter that no seed knows: it is told when to recheck instead.
                new Engine.Config(Simulation.ROOT, lease, NEVER_MILLIS, LITTLE_ROOM),
                () -> name + "g" + ++guids,
                new ConnectionListener() {
                    @Override
                    public void ready() {}

                    @Override
                    public void refused(ElectionException cause) {
                        trace("no beat: %s", cause.getMessage());
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
            // In one step, as the engine does it: what they read may go in one packet.
            engine.timers()
                    .at(
                            clock.nanos(),
                            () -> elections.stream()
                                    .filter(election -> !election.isOver())
                                    .forEach(SimElection::recheck));
            recheckLater();
        });
    }

    // what it is made of

    String name() {
        return name;
    }

    SimScheduler scheduler() {
        return simulation.scheduler();
    }

    SimQuorum quorum() {
        return simulation.quorum();
    }

    SimWeather weather() {
        return simulation.weather();
    }

    SimChecker checker() {
        return simulation.checker();
    }

    /** What the engine takes for the time. */
    Moment time() {
        return measure.now();
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

    /** All nodes on which this process has led. */
    List<SimElection.Reigned> reigns() {
        return reigns;
    }

    Deque<Proof> proofs() {
        return proofs;
    }

    void trace(String format, Object... arguments) {
        simulation.trace().line(name, format, arguments);
    }

    // what it does

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
            engine.delete(
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
            planTurn();
        }
    }

    /** Events and answers are taken in the order in which the client delivers them. */
    void postEvent(Runnable task) {
        long delay = simulation.mutation().eventsDelayedBy();
        if (delay == 0) {
            post(task);
        } else {
            later(delay, () -> post(task));
        }
    }

    private void planTurn() {
        if (!turnPlanned && !asleep && !inbox.isEmpty()) {
            turnPlanned = true;
            scheduler().after(weather().turn(), this::turn);
        }
    }

    /** One thing at a time, so that everything is checked in between. */
    private void turn() {
        turnPlanned = false;
        if (dead || asleep) {
            return;
        }
        Runnable task = inbox.poll();
        if (task != null) {
            task.run();
            elections.forEach(SimElection::lookAt);
            simulation.checker().check();
        }
        planTurn();
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
            noteDeletions(request);
        }
        long sent = clock.nanos();
        boolean beats = beats(request);
        SimPacket[] packet = new SimPacket[1];
        packet[0] = new SimPacket(request, reply -> {
            if (beats && reply.ok()) {
                prove(sent, packet[0].index);
            }
            answer.accept(reply);
        });
        client.send(packet[0]);
    }

    private void noteDeletions(Request request) {
        if (request instanceof Request.Delete delete) {
            String record = Paths.parent(delete.path()) + "/" + LeaderRecord.NODE;
            if (SimChecker.isEnded(quorum().tree().get(record))) {
                // Somebody here completes a deletion; that does not wait for the leader.
                return;
            }
            elections.forEach(election -> election.deletes(delete.path()));
        } else if (request instanceof Request.Multi multi) {
            multi.parts().forEach(this::noteDeletions);
        }
    }

    private static boolean beats(Request request) {
        return request instanceof Request.Set set && set.path().startsWith(Simulation.BEATS)
                || request instanceof Request.Multi multi
                        && multi.parts().stream().anyMatch(SimHost::beats);
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

    /** A write of the application's own that only a leader may do. */
    void write(SimElection.Reigned reigned) {
        String fenced = Paths.parent(reigned.path());
        trace("guarded write with token %d", reigned.token());
        client.send(new SimPacket(
                new Request.Set("/fenced" + fenced, new byte[0], -1),
                transaction -> {
                    Reply guard = simulation.mutation().guard(transaction, reigned);
                    if (guard.ok()) {
                        simulation.checker().fencedWrite(fenced, reigned.token());
                    }
                    return guard;
                },
                reply -> {}));
    }

    // the session

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

    // trouble

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
            client.updateHealth();
            for (Runnable task = onWaking.poll(); task != null && !asleep; task = onWaking.poll()) {
                task.run();
            }
            planTurn();
        }
    }

    void die() {
        trace("dies");
        client.end();
        dead = true;
        inbox.clear();
        onWaking.clear();
    }
}
