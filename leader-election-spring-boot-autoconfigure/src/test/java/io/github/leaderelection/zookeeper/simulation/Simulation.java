package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.StateMachine;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.jspecify.annotations.Nullable;

/** One schedule: a few processes and an ensemble, some seconds of faults, then recovery. Everything follows from the seed. */
final class Simulation {

    /** Schedules have a few thousand steps at most; this many are an endless loop. */
    private static final int MOST_STEPS = 100_000;

    static final String ROOT = "/elections";
    static final String HEARTBEATS_PARENT = ROOT + "/.beats";
    static final String HEARTBEATS = HEARTBEATS_PARENT + "/";
    static final List<String> ELECTIONS = List.of(ROOT + "/a", ROOT + "/b", ROOT + "/c");

    /** The rates of clocks agree within 10 %. */
    static final double SLOWEST = 0.955;

    static final double FASTEST = 1.045;

    private static final long SHORTEST_LEASE = 400;
    private static final long SHORTEST_SESSION = 3_000;
    private static final long LONGEST_SESSION = 6_000;

    private final SimScheduler scheduler;
    private final SimProfile profile;
    private final SimMutation mutation;
    private final SimTrace trace;
    private final SimLatency latency;
    private final SimQuorum quorum;
    private final SimChecker checker;
    private final SimChaos chaos;
    private final List<SimHost> hosts = new ArrayList<>();
    private final Map<SimHost, Long> timeouts = new HashMap<>();
    private final List<String> paths;
    private final long lease;
    private boolean busyListeners = true;
    private final SimSuccession succession = new SimSuccession();
    private final SimMoves moves;
    private final boolean sameIds;
    private final boolean clientsKeepWatches;
    private boolean healed;
    private int steps;

    Simulation(long seed, SimProfile profile, SimMutation mutation, Set<SimInvariant> watched, SimTrace trace) {
        this.scheduler = new SimScheduler(seed);
        this.clientsKeepWatches = Math.floorMod(seed / SimProfile.values().length, 5) != 0;
        this.profile = profile;
        this.mutation = mutation;
        this.trace = trace;
        trace.begin(scheduler);
        this.latency = new SimLatency(scheduler, profile);
        this.quorum = new SimQuorum(scheduler, trace, scheduler.chance(0.2));
        this.checker = new SimChecker(this, watched);
        quorum.onCommit(checker::committed);
        this.chaos = new SimChaos(this);
        this.moves = new SimMoves(this, seed);
        this.paths = ELECTIONS.subList(0, scheduler.chance(0.6) ? 1 : scheduler.chance(0.6) ? 2 : 3);
        this.lease = scheduler.pick(List.of(700L, 1_500L, 2_500L));
        this.sameIds = scheduler.chance(0.2);
    }

    static Simulation of(long seed) {
        return of(seed, SimTrace.off());
    }

    static Simulation of(long seed, SimTrace trace) {
        return new Simulation(seed, profileOf(seed), SimMutation.NONE, EnumSet.allOf(SimInvariant.class), trace);
    }

    static SimProfile profileOf(long seed) {
        SimProfile[] profiles = SimProfile.values();
        return profiles[(int) Math.floorMod(seed, (long) profiles.length)];
    }

    /** Runs the schedule, and throws a {@link SimViolation} if an invariant does not hold. */
    int run() {
        prepare();
        long until = scheduler.now() + scheduler.millis(8_000, 16_000);
        while (step(until)) {
            // the next event
        }
        chaos.end();
        moves.end();
        if (checker.watchesAny(SimInvariant.I3, SimInvariant.I4, SimInvariant.FAIL_OVER)) {
            healed = true;
            new SimRecovery(this).run();
            if (checker.watches(SimInvariant.FAIL_OVER)) {
                new SimFailOver(this).run();
            }
        }
        return steps;
    }

    boolean step(long until) {
        steps++;
        checker.require(SimInvariant.I4, steps < MOST_STEPS, () -> "endless loop after %d steps".formatted(steps));
        return scheduler.step(until);
    }

    private void prepare() {
        int exist = scheduler.pick(4);
        if (exist > 0) {
            admin(new Request.Create(ROOT, new byte[0], CreateMode.PERSISTENT));
        }
        if (exist > 1) {
            for (String path : paths) {
                admin(new Request.Create(path, new byte[0], CreateMode.PERSISTENT));
            }
        }
        if (exist == 3) {
            while (scheduler.step(scheduler.now() + 10_000 * SimScheduler.MILLIS)) {
                steps++;
            }
        }
        int number = 2 + scheduler.pick(3);
        for (int i = 1; i <= number; i++) {
            start("h" + i);
        }
        chaos.begin();
        moves.begin();
    }

    private void admin(Request request) {
        quorum.commit(0, "admin", request);
    }

    private SimHost start(String name) {
        SimClock clock = new SimClock(scheduler, rate(), rate(), scheduler.between(0L, 1_000_000_000L));
        @Nullable Long grace = scheduler.chance(0.4) ? 0L : null;
        SimHost host = new SimHost(this, name, clock, lease(), grace, succession.priority(scheduler));
        hosts.add(host);
        host.start();
        // Each at a time of its own, so that the queues are in different orders.
        for (String path : paths) {
            if (scheduler.chance(0.85)) {
                scheduler.after(scheduler.millis(0, 300), () -> join(host, path));
            }
        }
        return host;
    }

    /** Processes are configured with the same lease, with a third or a quarter of it, or with none; see F63. */
    private @Nullable Long lease() {
        return switch (scheduler.pick(6)) {
            case 0, 1 -> lease;
            case 2 -> Math.max(SHORTEST_LEASE, lease / 3);
            case 3 -> Math.max(SHORTEST_LEASE, lease / 4);
            default -> null;
        };
    }

    private double rate() {
        return switch (scheduler.pick(3)) {
            case 0 -> SLOWEST;
            case 1 -> FASTEST;
            default -> scheduler.between(SLOWEST, FASTEST);
        };
    }

    void restart(SimHost dead) {
        if (hosts.remove(dead)) {
            start(dead.name() + "x");
        }
    }

    /** A fresh election object, nominated at once. */
    @Nullable
    SimElection join(SimHost host, String path) {
        if (host.isDead()) {
            return null;
        }
        String id = sameIds ? "same" : host.name();
        SimElection election = host.open(new ElectionState.Config(
                Paths.name(path), path, true, () -> id, Map.of(), host.priority(), host.preemptAfter(), ""));
        election.handle(new Event.Nominate());
        return election;
    }

    // parts

    SimScheduler scheduler() {
        return scheduler;
    }

    SimMoves moves() {
        return moves;
    }

    SimProfile profile() {
        return profile;
    }

    SimMutation mutation() {
        return mutation;
    }

    SimTrace trace() {
        return trace;
    }

    SimLatency latency() {
        return latency;
    }

    SimQuorum quorum() {
        return quorum;
    }

    SimChecker checker() {
        return checker;
    }

    List<SimHost> hosts() {
        return hosts;
    }

    List<String> paths() {
        return paths;
    }

    /** From now on all listeners return in time. */
    void endBusyListeners() {
        busyListeners = false;
    }

    boolean busyListeners() {
        return busyListeners;
    }

    SimSuccession succession() {
        return succession;
    }

    // random choices

    /** Servers have different limits; every lease is shorter than the shortest session. */
    long negotiate(SimHost host) {
        if (healed || scheduler.chance(0.7)) {
            return timeouts.computeIfAbsent(host, h -> scheduler.between(SHORTEST_SESSION, LONGEST_SESSION));
        }
        return scheduler.between(SHORTEST_SESSION, LONGEST_SESSION);
    }

    boolean meetsStaleServer() {
        return !healed && scheduler.chance(profile.stale);
    }

    /** In every fifth schedule of each kind clients are configured not to set watches again on reconnect. */
    boolean clientsKeepWatches() {
        return clientsKeepWatches;
    }

    boolean refusesGrant() {
        return !healed && scheduler.chance(0.03);
    }

    /** Only hosts that are never suspended: a lease cannot survive a clock that is set back during a suspension. */
    boolean jumpsBack(SimHost host) {
        return host.name().hashCode() % 2 == 0;
    }

    /** The oldest position in the log that a server of the ensemble can have. */
    int oldestAcceptable() {
        int index = quorum.head();
        long oldest = scheduler.now() - 5_000 * SimScheduler.MILLIS;
        while (index > 0 && quorum.at(index).at() > oldest) {
            index--;
        }
        return index;
    }

    StateMachine traced(SimHost host, StateMachine protocol) {
        if (!trace.isOn()) {
            return protocol;
        }
        return (election, event, view) -> {
            StateMachine.Outcome outcome = protocol.apply(election, event, view);
            boolean idle =
                    outcome.commands().isEmpty() && outcome.election().state().equals(election.state());
            if (!idle || !(event instanceof Event.Acknowledged)) {
                trace.line(host.name(), "%s: %s", election.config().name(), SimDescribe.event(event));
                trace.line(
                        host.name(),
                        "    -> %s",
                        SimDescribe.state(outcome.election().state()));
                for (Command command : outcome.commands()) {
                    trace.line(host.name(), "       %s", SimDescribe.command(command));
                }
            }
            return outcome;
        };
    }
}
