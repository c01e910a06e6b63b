package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.protocol.AfterLeaving;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries out the actions of a schedule. */
final class SimChaos {

    private final Simulation simulation;
    private final SimScheduler scheduler;
    private final SimTargets targets;
    private final SimAdministrator administrator;
    private final SimFaults faults;
    private final SimSuccessionFaults successionFaults;
    private boolean over;

    SimChaos(Simulation simulation) {
        this.simulation = simulation;
        this.scheduler = simulation.scheduler();
        this.targets = new SimTargets(simulation);
        this.administrator = new SimAdministrator(this, targets, simulation);
        this.faults = new SimFaults(this, simulation);
        this.successionFaults = new SimSuccessionFaults(this, targets, administrator, faults, simulation);
    }

    void begin() {
        next();
    }

    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    private void next() {
        SimProfile profile = simulation.profile();
        scheduler.after(scheduler.millis(1, 2 * profile.pace), () -> {
            if (!over) {
                SimAction action = scheduler.pick(profile.actions());
                simulation.trace().line("chaos", "%s", action);
                perform(action);
                next();
            }
        });
    }

    private void perform(SimAction action) {
        switch (action) {
            case NOMINATE -> nominate();
            case STEP_DOWN -> leave(targets.leader(), RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN);
            case WITHDRAW -> leave(targets.anyElection(), RevocationReason.WITHDRAWN, AfterLeaving.OBSERVE);
            case RESIGN -> leave(targets.anyElection(), RevocationReason.RESIGNED, AfterLeaving.CLOSE);
            case DELETE -> targets.host().delete(targets.path());
            case WRITE -> write();
            case CUT -> faults.cut(targets.host());
            case CUT_LEADER -> faults.cut(targets.leadingHost());
            case BLACK_HOLE -> faults.blackHole(targets.leaderOrAny());
            case UNREACHABLE -> faults.unreachable(targets.leaderOrAny());
            case JOIN_AND_CUT -> joinAndCut();
            case CREATE_TWINS -> createTwins();
            case NAME_AND_DELETE_NODE -> nameAndDeleteNode();
            case SLOW_DELETE -> slowDelete();
            case STEP_DOWN_AND_CUT -> stepDownAndCut();
            case REWRITE_AND_DELETE_NODE -> rewriteAndDeleteNode();
            case CUT_AND_DELETE_NODE -> cutAndDeleteNode();
            case CUT_AND_WIPE -> cutAndWipe();
            case FREEZE -> faults.freeze(targets.host());
            case FREEZE_LEADER -> faults.freeze(targets.leadingHost());
            case FREEZE_AND_EXPIRE -> faults.freezeAndExpire(targets.leaderOrAny());
            case EXPIRE -> faults.expire(targets.host());
            case EXPIRE_LEADER -> faults.expire(targets.leadingHost());
            case OUTAGE -> faults.outage();
            case PAUSE -> faults.pause(targets.host(), false);
            case PAUSE_LEADER -> faults.pause(targets.leadingHost(), false);
            case PAUSE_LEADER_WITHIN_LEASE -> pauseLeader(0.2, 0.98);
            case PAUSE_LEADER_PAST_LEASE -> pauseLeader(1.0, 1.6);
            case SHORT_CUTS -> shortCuts();
            case LAG_FOLLOWERS -> lagFollowers();
            case HAND_OVER_TO -> handOverTo();
            case ASK_FOR_HAND_OVER -> askForHandOver();
            case DELETE_DURING_HAND_OVER -> deleteDuringHandOver();
            case DELETE_DURING_CLAIM -> deleteDuringClaim();
            case PAUSE_AND_DELETE_NODE -> pauseAndDeleteNode();
            case SUSPEND -> faults.pause(targets.host(), true);
            case SUSPEND_LEADER -> faults.pause(targets.leadingHost(), true);
            case CLOCK_JUMP -> faults.clockJump(targets.leaderOrAny());
            case CRASH -> faults.crash(targets.host());
            case CRASH_LEADER -> faults.crash(targets.leadingHost());
            case STEP_DOWN_AND_DRAIN,
                    LEAVE_AND_RETURN,
                    DELETE_DURING_TAKE_OVER,
                    HAND_OVER_UNSEEN,
                    TAKE_OVER_AGAIN,
                    SLOW_HEIR,
                    REPLACE_HEARTBEAT_UNSEEN -> successionFaults.perform(action);
            default -> administrator.perform(action);
        }
    }

    // the user

    private void nominate() {
        SimHost host = targets.host();
        String path = targets.path();
        @Nullable SimElection idle = null;
        boolean taken = false;
        for (SimElection election : host.elections()) {
            if (election.path().equals(path) && !election.isOver()) {
                taken = true;
                if (election.state().role() == io.github.leaderelection.Role.OBSERVER) {
                    idle = election;
                }
            }
        }
        if (idle != null) {
            idle.handle(new Event.Nominate());
        } else if (!taken || scheduler.chance(0.05)) {
            // Rarely a second candidate of the same session (F23).
            simulation.join(host, path);
        }
    }

    static void leave(@Nullable SimElection election, RevocationReason reason, AfterLeaving then) {
        if (election != null) {
            election.handle(new Event.Leave(reason, then));
        }
    }

    /** The leader hands over to another candidate, which need not be the next one. */
    private void handOverTo() {
        @Nullable SimElection leader = targets.leader();
        List<SimElection> others = leader == null ? List.of() : targets.others(leader);
        if (leader != null && !others.isEmpty()) {
            simulation.succession().handOver(leader, scheduler.pick(others).id());
        }
    }

    /** Any process asks the leader to hand over to any candidate, perhaps to one that has left in the meantime. */
    private void askForHandOver() {
        @Nullable SimElection leader = targets.leader();
        if (leader != null) {
            List<SimElection> all = targets.others(leader);
            all.add(leader);
            String to = scheduler.pick(all).id();
            simulation.succession().ask(scheduler.pick(all), to);
        }
    }

    /** Current and former leaders write. */
    private void write() {
        for (SimHost host : simulation.hosts()) {
            if (!host.ledNodes().isEmpty() && scheduler.chance(0.6)) {
                later(0, 40, () -> host.write(scheduler.pick(host.ledNodes())));
            }
        }
    }

    // combinations

    private void pauseLeader(double leastLeases, double mostLeases) {
        @Nullable SimElection leader = targets.leader();
        if (leader != null) {
            double leases = scheduler.between(leastLeases, mostLeases);
            faults.pauseFor(leader.host(), (long) (SimTargets.lease(leader) * leases));
        }
    }

    /** Outages of a tenth of the lease or less, one after the other: the leader's, or those of all. */
    private void shortCuts() {
        @Nullable SimElection leader = targets.leader();
        if (leader == null) {
            return;
        }
        boolean all = scheduler.chance(0.3);
        long lease = SimTargets.lease(leader);
        long at = 0;
        for (int i = 1 + scheduler.pick(5); i > 0; i--) {
            at += scheduler.between(lease / 5, lease);
            scheduler.after(at, () -> {
                if (!isOver()) {
                    long length = scheduler.between(0, lease / 10);
                    List<SimHost> hosts = all ? simulation.hosts() : List.of(leader.host());
                    hosts.forEach(host -> faults.cutOffFor(host, length));
                }
            });
        }
    }

    /** The others see the leader's heartbeats late, and perhaps do not see that it goes. */
    private void lagFollowers() {
        @Nullable SimElection leader = targets.leader();
        if (leader == null) {
            return;
        }
        long longest = SimTargets.lease(leader) * 2;
        for (SimElection other : targets.others(leader)) {
            @Nullable SimConnection connection = other.host().client().connection();
            if (other.host() != leader.host() && connection != null && scheduler.chance(0.7)) {
                connection.delayAnswers(scheduler.between(longest / 20, longest));
            }
        }
    }

    /** The election ends while the record is being handed over. F67. */
    private void deleteDuringHandOver() {
        @Nullable SimElection leader = targets.leader();
        @Nullable SimHost deleter = leader == null ? null : targets.hostOtherThan(leader);
        @Nullable
        SimConnection connection =
                leader == null ? null : leader.host().client().connection();
        if (leader != null && deleter != null && connection != null) {
            connection.delayCommits(scheduler.millis(20, 100));
            leave(leader, RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN);
            later(0, 60, () -> deleter.delete(leader.path()));
        }
    }

    /** The election ends while another candidate claims, because the leader has lost its node. F67. */
    private void deleteDuringClaim() {
        @Nullable SimElection leader = targets.leader();
        @Nullable SimHost deleter = leader == null ? null : targets.hostOtherThan(leader);
        if (leader == null || deleter == null) {
            return;
        }
        for (SimElection other : targets.others(leader)) {
            @Nullable SimConnection connection = other.host().client().connection();
            if (other.host() != deleter && connection != null) {
                connection.slowCommits(scheduler.millis(50, 300));
            }
        }
        if (scheduler.chance(0.5)) {
            // Nobody is there to hand over to, so the next one claims without a wait.
            withdrawAllBut(leader).forEach(other -> later(500, 600, () -> other.handle(new Event.Nominate())));
            later(200, 300, () -> leave(leader, RevocationReason.WITHDRAWN, AfterLeaving.OBSERVE));
            later(500, 1_500, () -> deleter.delete(leader.path()));
        } else {
            SimElection.@Nullable LedNode node = leader.ledNode();
            administrator.delete(node == null ? null : node.path());
            long wait = SimTargets.lease(leader) * 11 / 10;
            scheduler.after(scheduler.between(wait - wait / 10, wait + wait / 5), () -> {
                if (!isOver()) {
                    deleter.delete(leader.path());
                }
            });
        }
    }

    /** The leader or a follower is cut off, and an administrator deletes the leader's node. F63, F70, F71. */
    private void cutAndDeleteNode() {
        @Nullable String node = targets.leaderNode();
        @Nullable SimHost leading = targets.leadingHost();
        SimHost host = scheduler.chance(0.6) && leading != null ? leading : targets.host();
        if (scheduler.chance(0.5)) {
            host.cutOffUntil(scheduler.now() + scheduler.millis(10, 3_000));
        }
        if (scheduler.chance(0.7)) {
            faults.cut(host);
        } else {
            faults.blackHole(host);
        }
        later(0, scheduler.chance(0.5) ? 60 : 1_500, () -> administrator.delete(node));
    }

    /** The hand-over is carried out late, and its answer is lost. F65. */
    private void stepDownAndCut() {
        @Nullable SimElection leader = targets.leader();
        @Nullable
        SimConnection connection =
                leader == null ? null : leader.host().client().connection();
        if (leader != null && connection != null) {
            connection.delayCommits(scheduler.millis(20, 800));
            boolean stays = scheduler.chance(0.5);
            leave(
                    leader,
                    stays ? RevocationReason.STEPPED_DOWN : RevocationReason.WITHDRAWN,
                    stays ? AfterLeaving.REJOIN : AfterLeaving.OBSERVE);
            later(5, 60, () -> leader.host().client().lose(connection, true));
        }
    }

    /** The events of earlier changes, which use up the leader's watches, are late; its node is deleted, and it is cut off. F70. */
    private void rewriteAndDeleteNode() {
        @Nullable String node = targets.leaderNode();
        @Nullable SimElection leader = targets.leader();
        @Nullable
        SimConnection connection =
                leader == null ? null : leader.host().client().connection();
        if (leader != null && connection != null) {
            SimHost host = leader.host();
            long delay = scheduler.millis(50, 900);
            connection.delayAnswers(delay);
            administrator.rewrite(node);
            administrator.createForeignChild(leader.path());
            later(1, 50, () -> administrator.delete(node));
            scheduler.after(delay + scheduler.between(300_000L, 4_000_000L), () -> {
                if (!over) {
                    host.cutOffUntil(scheduler.now() + scheduler.millis(1_000, 4_000));
                    host.client().lose(connection, true);
                }
            });
        }
    }

    /** A create is carried out late, and its answer is lost; its candidate may leave in the meantime. F25, F28, F30, F69. */
    private void joinAndCut() {
        SimHost host = targets.host();
        @Nullable SimConnection connection = host.client().connection();
        if (connection == null) {
            return;
        }
        connection.delayCommits(scheduler.millis(50, 2_000));
        @Nullable SimElection joining = null;
        String path = targets.path();
        for (SimElection election : host.elections()) {
            joining = election.path().equals(path) && !election.isOver() ? election : joining;
        }
        if (joining == null) {
            joining = simulation.join(host, path);
        } else {
            joining.handle(new Event.Nominate());
        }
        later(3, 40, () -> host.client().lose(connection, true));
        SimElection joined = joining;
        if (joined != null && scheduler.chance(0.4)) {
            boolean comesBack = scheduler.chance(0.5);
            later(
                    0,
                    300,
                    () -> leave(
                            joined,
                            comesBack ? RevocationReason.WITHDRAWN : RevocationReason.RESIGNED,
                            comesBack ? AfterLeaving.OBSERVE : AfterLeaving.CLOSE));
        } else {
            later(0, 300, this::nominate);
            later(50, 1_500, () -> leave(targets.leader(), RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN));
        }
    }

    /**
     * The same right behind the leader, and the second create is late as well: a candidate that searches for the first one
     * after a sync creates a twin, another candidate joins between the two, and the leader names the wrong one. F28, F69.
     */
    private void createTwins() {
        @Nullable SimElection leader = targets.leader();
        SimHost host = targets.host();
        if (leader == null || leader.host() == host) {
            return;
        }
        List<SimElection> others = withdrawAllBut(leader);
        later(60, 100, () -> {
            @Nullable SimConnection connection = host.client().connection();
            if (connection != null) {
                connection.delayCommits(scheduler.millis(150, 350));
                host.client().delayFirstCommits(scheduler.millis(400, 800));
                simulation.join(host, leader.path());
                later(4, 10, () -> host.client().lose(connection, true));
            }
        });
        later(
                320,
                520,
                () -> others.forEach(other -> {
                    if (other.host() != host) {
                        other.handle(new Event.Nominate());
                    }
                }));
        later(340, 900, () -> leave(leader, RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN));
    }

    List<SimElection> withdrawAllBut(SimElection leader) {
        List<SimElection> others = targets.others(leader);
        others.forEach(other -> leave(other, RevocationReason.WITHDRAWN, AfterLeaving.OBSERVE));
        return others;
    }

    /**
     * The leader names the only other candidate, which does not know yet that its node exists. Then that node is deleted,
     * and the candidate creates another one, which was never named. F69.
     */
    private void nameAndDeleteNode() {
        @Nullable SimElection leader = targets.leader();
        SimHost host = targets.host();
        if (leader == null || leader.host() == host) {
            return;
        }
        withdrawAllBut(leader);
        String path = leader.path();
        later(60, 100, () -> {
            @Nullable SimConnection connection = host.client().connection();
            if (connection != null) {
                connection.delayAnswers(scheduler.millis(50, 100));
                simulation.join(host, path);
                later(10, 40, () -> {
                    host.cutOffUntil(scheduler.now() + scheduler.millis(500, 1_000));
                    host.client().lose(connection, true);
                });
            }
        });
        later(200, 300, () -> leave(leader, RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN));
        later(350, 450, () -> administrator.delete(targets.holder(path)));
    }

    /** An election is deleted slowly, perhaps while the next candidate waits for a lease. */
    private void slowDelete() {
        SimHost host = targets.host();
        if (scheduler.chance(0.6)) {
            administrator.delete(targets.leaderNode());
        }
        later(0, 1_500, () -> {
            @Nullable SimConnection connection = host.client().connection();
            if (connection != null) {
                connection.slowDown(scheduler.millis(20, 300));
            }
            host.delete(targets.path());
        });
    }

    private void cutAndWipe() {
        @Nullable SimHost leading = targets.leadingHost();
        if (leading != null) {
            faults.unreachable(leading);
        }
        String path = targets.path();
        later(0, 600, () -> {
            if (scheduler.chance(0.4)) {
                administrator.delete(path + "/" + LeaderRecord.NODE);
                @Nullable String first = targets.leaderNode();
                administrator.delete(first);
            } else {
                administrator.wipe(scheduler.chance(0.7) ? path : Simulation.ROOT);
            }
            for (int i = 0; i < 3; i++) {
                later(0, 300, this::nominate);
                later(2_000, 8_000, this::write);
            }
        });
    }

    private void pauseAndDeleteNode() {
        @Nullable String node = targets.leaderNode();
        faults.pause(targets.leaderOrAny(), scheduler.chance(0.3));
        later(0, 400, () -> administrator.delete(node));
    }

    /** Does something after a while, unless the faults have ended. */
    void later(long low, long high, Runnable action) {
        scheduler.after(scheduler.millis(low, high), () -> {
            if (!over) {
                action.run();
            }
        });
    }
}
