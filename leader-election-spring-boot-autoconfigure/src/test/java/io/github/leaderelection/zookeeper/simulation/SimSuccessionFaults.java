package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.protocol.AfterLeaving;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Following;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Combinations that concern a leader and its heir. They provoke what would rarely occur by chance. */
final class SimSuccessionFaults {

    /** How often a leader beats within its lease. */
    private static final int HEARTBEATS_PER_LEASE = 6;

    private static final int MOST_HEARTBEATS = 24;

    private final SimChaos chaos;
    private final SimTargets targets;
    private final SimAdministrator administrator;
    private final SimFaults faults;
    private final Simulation simulation;
    private final SimScheduler scheduler;
    private final SimQuorum quorum;

    SimSuccessionFaults(
            SimChaos chaos,
            SimTargets targets,
            SimAdministrator administrator,
            SimFaults faults,
            Simulation simulation) {
        this.chaos = chaos;
        this.targets = targets;
        this.administrator = administrator;
        this.faults = faults;
        this.simulation = simulation;
        this.scheduler = simulation.scheduler();
        this.quorum = simulation.quorum();
    }

    void perform(SimAction action) {
        @Nullable SimElection leader = targets.leader();
        if (leader == null) {
            return;
        }
        switch (action) {
            case STEP_DOWN_AND_DRAIN -> stepDownAndDrain(leader);
            case LEAVE_AND_RETURN -> leaveAndReturn(leader);
            case DELETE_DURING_TAKE_OVER -> deleteDuringTakeOver(leader);
            case HAND_OVER_UNSEEN -> handOverUnseen(leader);
            case TAKE_OVER_AGAIN -> takeOverAgain(leader);
            case SLOW_HEIR -> slowHeir(leader);
            case REPLACE_HEARTBEAT_UNSEEN -> replaceHeartbeatUnseen(leader);
            default -> throw new IllegalArgumentException(action.name());
        }
    }

    private long leases(SimElection leader, double least, double most) {
        return (long) (SimTargets.lease(leader) * scheduler.between(least, most));
    }

    private void after(long delay, Runnable action) {
        scheduler.after(delay, () -> {
            if (!chaos.isOver()) {
                action.run();
            }
        });
    }

    private void stepDownAndDrain(SimElection leader) {
        leader.drainFor(leases(leader, 0.5, 3));
        SimChaos.leave(leader, RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN);
    }

    /** The leader claims again when its last heartbeat is older than its lease, and its former heir has it still in mind. */
    private void leaveAndReturn(SimElection leader) {
        List<SimElection> others = chaos.withdrawAllBut(leader);
        chaos.later(50, 80, () -> SimChaos.leave(leader, RevocationReason.WITHDRAWN, AfterLeaving.OBSERVE));
        after(80 * SimScheduler.MILLIS + leases(leader, 1.1, 1.8), () -> {
            leader.handle(new Event.Nominate());
            chaos.later(10, 30, () -> others.forEach(other -> other.handle(new Event.Nominate())));
        });
    }

    /** The election ends while the heir of a silent leader takes over. F67. */
    private void deleteDuringTakeOver(SimElection leader) {
        @Nullable SimHost deleter = targets.hostOtherThan(leader);
        if (deleter == null) {
            return;
        }
        for (SimElection other : targets.others(leader)) {
            @Nullable SimConnection connection = other.host().client().connection();
            if (other.host() != deleter && connection != null) {
                connection.slowCommits(scheduler.millis(50, 300));
            }
        }
        faults.pauseFor(leader.host(), leases(leader, 1.5, 2.5));
        after(leases(leader, 1.0, 1.25), () -> deleter.delete(leader.path()));
    }

    /**
     * The first candidate, which does not lead, finds a server that is behind, and catches up while it answers: the list does
     * not show the new leader, which the record names.
     */
    private void handOverUnseen(SimElection leader) {
        List<SimElection> others = targets.others(leader);
        @Nullable
        SimElection first = others.stream()
                .filter(other -> other.state() instanceof Following following
                        && following.predecessor().path().equals(leaderNode(leader))
                        && other.host() != leader.host())
                .findFirst()
                .orElse(null);
        @Nullable
        SimElection joining = others.stream()
                .filter(other -> other != first && first != null && other.host() != first.host())
                .findFirst()
                .orElse(null);
        if (first == null || joining == null) {
            return;
        }
        SimChaos.leave(joining, RevocationReason.WITHDRAWN, AfterLeaving.OBSERVE);
        chaos.later(40, 80, () -> {
            first.host().client().holdBackFirst();
            faults.cutOffFor(first.host(), scheduler.millis(200, 500));
            joining.handle(new Event.Nominate());
            chaos.later(30, 60, () -> simulation.succession().handOver(leader, joining.id()));
        });
    }

    /**
     * A candidate leads and leaves; then it takes over from one whose lease is much longer, so that it has rarely beaten as its
     * heir. Its next heir is the one that it had before.
     */
    private void takeOverAgain(SimElection leader) {
        List<SimElection> all = targets.others(leader);
        all.add(leader);
        all.sort(Comparator.comparing(SimSuccessionFaults::lease));
        SimElection taker = all.get(0);
        @Nullable
        SimElection holder = all.stream()
                .filter(other -> lease(other) > lease(taker) * 2.3 && lease(other) < 1_700)
                .findFirst()
                .orElse(null);
        @Nullable
        SimElection heir = all.stream()
                .filter(other -> holder != null && other.host() != holder.host() && other.host() != taker.host())
                .findFirst()
                .orElse(null);
        if (holder == null || heir == null) {
            return;
        }
        chaos.withdrawAllBut(leader);
        leaveIn(50, leader);
        joinIn(110, taker);
        joinIn(150, heir);
        leaveIn(300, heir);
        leaveIn(340, taker);
        joinIn(400, holder);
        joinIn(440, taker);
        chaos.later(520, 540, () -> faults.pauseFor(holder.host(), 3 * lease(holder) * SimScheduler.MILLIS));
        joinIn(700, heir);
    }

    private void joinIn(long millis, SimElection election) {
        chaos.later(millis, millis + 20, () -> election.handle(new Event.Nominate()));
    }

    private void leaveIn(long millis, SimElection election) {
        chaos.later(
                millis, millis + 20, () -> SimChaos.leave(election, RevocationReason.WITHDRAWN, AfterLeaving.OBSERVE));
    }

    private static long lease(SimElection election) {
        return election.host().engine().connection().lease();
    }

    private static String leaderNode(SimElection leader) {
        SimElection.@Nullable LedNode node = leader.ledNode();
        return node == null ? "" : node.path();
    }

    /** The next heir observes a leader that falls silent before the heir's first read of its heartbeat is answered. */
    private void slowHeir(SimElection leader) {
        @Nullable SimConnection connection = leader.host().client().connection();
        if (connection == null) {
            return;
        }
        SimChaos.leave(leader, RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN);
        long slow = leases(leader, 0.1, 0.9);
        chaos.later(20, 60, () -> {
            connection.slowDown(slow);
            after(slow + scheduler.millis(50, 400), () -> connection.slowDown(0));
            after((long) (slow * scheduler.between(0.3, 1.2)), () -> fallSilent(leader.path()));
        });
    }

    private void fallSilent(String path) {
        for (SimHost host : List.copyOf(simulation.hosts())) {
            for (SimElection election : host.elections()) {
                if (election.path().equals(path) && election.isLeader()) {
                    if (scheduler.chance(0.5)) {
                        faults.blackHole(host);
                    } else {
                        faults.crash(host);
                    }
                    return;
                }
            }
        }
    }

    /**
     * While the heir's view lags, the heartbeat is deleted or replaced, so that its versions start again. The heir's transaction
     * is carried out when they have reached the one that it has sighted.
     */
    private void replaceHeartbeatUnseen(SimElection leader) {
        @Nullable String path = targets.heartbeat(leader.host());
        SimTree.@Nullable Node heartbeat = path == null ? null : quorum.tree().get(path);
        if (path == null || heartbeat == null || heartbeat.version() > MOST_HEARTBEATS) {
            return;
        }
        long lease = SimTargets.lease(leader);
        long untilSameVersion = lease * heartbeat.version() / HEARTBEATS_PER_LEASE;
        long wait = lease * 11 / 10;
        long carriedOut = Math.max(wait, untilSameVersion) + scheduler.between(0L, lease / HEARTBEATS_PER_LEASE);
        for (SimElection other : targets.others(leader)) {
            @Nullable SimConnection connection = other.host().client().connection();
            if (other.host() != leader.host() && connection != null) {
                connection.delayAnswers(carriedOut + lease);
                connection.delayCommits(carriedOut);
            }
        }
        after(Math.max(0, wait - untilSameVersion), () -> {
            if (scheduler.chance(0.5)) {
                administrator.delete(path);
            } else {
                administrator.replaceHeartbeat(path, 0);
            }
        });
    }
}
