package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.protocol.AfterLeaving;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Carries out the actions of a schedule. */
final class SimChaos {

    private static final byte[] NO_DATA = {};
    private static final byte[] CORRUPT = {'{', '?'};

    private final Simulation simulation;
    private final SimScheduler scheduler;
    private final SimQuorum quorum;
    private boolean over;
    private int foreignNodes;

    SimChaos(Simulation simulation) {
        this.simulation = simulation;
        this.scheduler = simulation.scheduler();
        this.quorum = simulation.quorum();
    }

    void begin() {
        next();
    }

    void end() {
        over = true;
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
            case STEP_DOWN -> leave(leader(), RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN);
            case WITHDRAW -> leave(anyElection(), RevocationReason.WITHDRAWN, AfterLeaving.OBSERVE);
            case RESIGN -> leave(anyElection(), RevocationReason.RESIGNED, AfterLeaving.CLOSE);
            case DELETE -> host().delete(path());
            case WRITE -> write();
            case CUT -> cut(host());
            case CUT_LEADER -> cut(leadingHost());
            case BLACK_HOLE -> blackHole(leaderOrAny());
            case UNREACHABLE -> unreachable(leaderOrAny());
            case JOIN_AND_CUT -> joinAndCut();
            case CREATE_TWINS -> createTwins();
            case NAME_AND_DELETE_NODE -> nameAndDeleteNode();
            case SLOW_DELETE -> slowDelete();
            case STEP_DOWN_AND_CUT -> stepDownAndCut();
            case REWRITE_AND_DELETE_NODE -> rewriteAndDeleteNode();
            case CUT_AND_DELETE_NODE -> cutAndDeleteNode();
            case CUT_AND_WIPE -> cutAndWipe();
            case FREEZE -> freeze(host());
            case FREEZE_LEADER -> freeze(leadingHost());
            case FREEZE_AND_EXPIRE -> freezeAndExpire(leaderOrAny());
            case EXPIRE -> expire(host());
            case EXPIRE_LEADER -> expire(leadingHost());
            case OUTAGE -> outage();
            case PAUSE -> pause(host(), false);
            case PAUSE_LEADER -> pause(leadingHost(), false);
            case PAUSE_AND_DELETE_NODE -> pauseAndDeleteNode();
            case SUSPEND -> pause(host(), true);
            case SUSPEND_LEADER -> pause(leadingHost(), true);
            case CLOCK_JUMP -> clockJump(leaderOrAny());
            case CRASH -> crash(host());
            case CRASH_LEADER -> crash(leadingHost());
            default -> administer(action);
        }
    }

    private void administer(SimAction action) {
        switch (action) {
            case DELETE_NODE -> delete(anyCandidate());
            case DELETE_LEADER_NODE -> delete(leaderNode());
            case DELETE_RECORD -> delete(path() + "/" + LeaderRecord.NODE);
            case CORRUPT_RECORD -> admin(new Request.Set(path() + "/" + LeaderRecord.NODE, CORRUPT, -1));
            case DELETE_HEARTBEAT -> delete(anyHeartbeat());
            case REWRITE_NODE -> rewrite(anyCandidate());
            case FOREIGN_CHILD ->
                admin(new Request.Create(path() + "/c-odd" + ++foreignNodes + "-x", NO_DATA, CreateMode.PERSISTENT));
            case FOREIGN_CANDIDATE -> foreignCandidate();
            case WIPE -> wipe(path());
            case WIPE_ALL -> wipe(Simulation.ROOT);
            case CREATE_PATH ->
                Paths.fromTop(path()).forEach(each -> admin(new Request.Create(each, NO_DATA, CreateMode.PERSISTENT)));
            case OVERFLOW -> countFrom(path(), Integer.MAX_VALUE - scheduler.pick(4));
            case DENY -> {
                quorum.deny(path() + "/c-");
                later(500, 3_000, () -> quorum.deny(null));
            }
            case ALLOW -> quorum.deny(null);
            default -> throw new IllegalArgumentException(action.name());
        }
    }

    // the user

    private void nominate() {
        SimHost host = host();
        String path = path();
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

    private static void leave(@Nullable SimElection election, RevocationReason reason, AfterLeaving then) {
        if (election != null) {
            election.handle(new Event.Leave(reason, then));
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

    // the network

    private void cut(@Nullable SimHost host) {
        if (host != null) {
            host.client().lose(host.client().connection(), scheduler.chance(0.6));
        }
    }

    private void blackHole(SimHost host) {
        SimConnection connection = host.client().connection();
        if (connection != null) {
            connection.blackHole();
            host.client().updateHealth();
            later(500, 3_000, () -> host.client().lose(connection, true));
        }
    }

    private void unreachable(SimHost host) {
        host.cutOffUntil(scheduler.now() + scheduler.millis(200, 9_000));
        if (scheduler.chance(0.5)) {
            cut(host);
        } else {
            blackHole(host);
        }
    }

    /** The leader or a follower is cut off, and an administrator deletes the leader's node. F63, F70, F71. */
    private void cutAndDeleteNode() {
        @Nullable String node = leaderNode();
        @Nullable SimHost leading = leadingHost();
        SimHost host = scheduler.chance(0.6) && leading != null ? leading : host();
        if (scheduler.chance(0.5)) {
            host.cutOffUntil(scheduler.now() + scheduler.millis(10, 3_000));
        }
        if (scheduler.chance(0.7)) {
            cut(host);
        } else {
            blackHole(host);
        }
        later(0, scheduler.chance(0.5) ? 60 : 1_500, () -> delete(node));
    }

    /** The hand-over is carried out late, and its answer is lost. F65. */
    private void stepDownAndCut() {
        @Nullable SimElection leader = leader();
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
        @Nullable String node = leaderNode();
        @Nullable SimElection leader = leader();
        @Nullable
        SimConnection connection =
                leader == null ? null : leader.host().client().connection();
        if (leader != null && connection != null) {
            SimHost host = leader.host();
            long delay = scheduler.millis(50, 900);
            connection.delayAnswers(delay);
            rewrite(node);
            foreignChild(leader.path());
            later(1, 50, () -> delete(node));
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
        SimHost host = host();
        @Nullable SimConnection connection = host.client().connection();
        if (connection == null) {
            return;
        }
        connection.delayCommits(scheduler.millis(50, 2_000));
        @Nullable SimElection joining = null;
        String path = path();
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
            later(50, 1_500, () -> leave(leader(), RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN));
        }
    }

    /**
     * The same right behind the leader, and the second create is late as well: a candidate that searches for the first one
     * after a sync creates a twin, another candidate joins between the two, and the leader names the wrong one. F28, F69.
     */
    private void createTwins() {
        @Nullable SimElection leader = leader();
        SimHost host = host();
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

    private List<SimElection> withdrawAllBut(SimElection leader) {
        List<SimElection> others = new ArrayList<>();
        for (SimHost each : simulation.hosts()) {
            for (SimElection election : each.elections()) {
                if (election != leader && election.path().equals(leader.path())) {
                    leave(election, RevocationReason.WITHDRAWN, AfterLeaving.OBSERVE);
                    others.add(election);
                }
            }
        }
        return others;
    }

    /**
     * The leader names the only other candidate, which does not know yet that its node exists. Then that node is deleted,
     * and the candidate creates another one, which was never named. F69.
     */
    private void nameAndDeleteNode() {
        @Nullable SimElection leader = leader();
        SimHost host = host();
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
        later(350, 450, () -> delete(holder(path)));
    }

    private @Nullable String holder(String path) {
        SimTree.@Nullable Node record = quorum.tree().get(path + "/" + LeaderRecord.NODE);
        return record == null
                ? null
                : LeaderRecord.parse(record.data())
                        .map(held -> path + "/" + held.holder())
                        .orElse(null);
    }

    /** An election is deleted slowly, perhaps while the next candidate waits for a lease. */
    private void slowDelete() {
        SimHost host = host();
        if (scheduler.chance(0.6)) {
            delete(leaderNode());
        }
        later(0, 1_500, () -> {
            @Nullable SimConnection connection = host.client().connection();
            if (connection != null) {
                connection.slowDown(scheduler.millis(20, 300));
            }
            host.delete(path());
        });
    }

    private void cutAndWipe() {
        @Nullable SimHost leading = leadingHost();
        if (leading != null) {
            unreachable(leading);
        }
        String path = path();
        later(0, 600, () -> {
            if (scheduler.chance(0.4)) {
                delete(path + "/" + LeaderRecord.NODE);
                @Nullable String first = leaderNode();
                delete(first);
            } else {
                wipe(scheduler.chance(0.7) ? path : Simulation.ROOT);
            }
            for (int i = 0; i < 3; i++) {
                later(0, 300, this::nominate);
                later(2_000, 8_000, this::write);
            }
        });
    }

    // the servers

    private void freeze(@Nullable SimHost host) {
        SimConnection connection = host == null ? null : host.client().connection();
        if (host != null && connection != null && !connection.isFrozen()) {
            connection.freeze(scheduler.chance(0.5) ? SimConnection.Server.DEPOSED : SimConnection.Server.CUT_OFF);
            host.client().updateHealth();
            later(300, 9_000, () -> host.client().lose(connection, true));
        }
    }

    private void freezeAndExpire(SimHost host) {
        freeze(host);
        later(0, 2_500, () -> expire(host));
    }

    private void expire(@Nullable SimHost host) {
        SimQuorum.Session session = host == null ? null : host.client().session();
        if (session != null && quorum.isUp()) {
            quorum.expire(session);
        }
    }

    private void outage() {
        quorum.down(scheduler.now() + scheduler.millis(200, 8_000));
        simulation.hosts().forEach(this::cut);
    }

    // the processes

    private void pause(@Nullable SimHost host, boolean suspended) {
        if (host == null || host.isAsleep() || suspended && simulation.jumpsBack(host)) {
            return;
        }
        if (suspended) {
            host.clock().suspend();
        }
        host.sleep();
        scheduler.after(
                scheduler.chance(0.5) ? scheduler.millis(10, 1_500) : scheduler.millis(1_000, 9_000), host::wake);
    }

    private void pauseAndDeleteNode() {
        @Nullable String node = leaderNode();
        pause(leaderOrAny(), scheduler.chance(0.3));
        later(0, 400, () -> delete(node));
    }

    private void clockJump(SimHost host) {
        boolean back = simulation.jumpsBack(host) && scheduler.chance(0.5);
        long by = scheduler.chance(0.5) ? 3_600_000 : scheduler.between(100L, 5_000L);
        host.clock().setForward(back ? -by : by);
        simulation.checker().check();
    }

    private void crash(@Nullable SimHost host) {
        if (host != null) {
            host.kill();
            later(0, 5_000, () -> simulation.restart(host));
        }
    }

    // administrators

    private void admin(Request request) {
        if (quorum.isUp()) {
            quorum.commit(0, "admin", request);
        }
    }

    private void delete(@Nullable String path) {
        if (path != null) {
            admin(new Request.Delete(path, -1));
        }
    }

    private void rewrite(@Nullable String path) {
        SimTree.@Nullable Node node = path == null ? null : quorum.tree().get(path);
        if (path != null && node != null) {
            admin(new Request.Set(path, node.data(), -1));
        }
    }

    private void foreignChild(String path) {
        admin(new Request.Create(path + "/c-odd" + ++foreignNodes + "-x", NO_DATA, CreateMode.PERSISTENT));
    }

    private void foreignCandidate() {
        String node = path() + "/c-ghost" + ++foreignNodes + "-000000000" + scheduler.pick(9);
        admin(new Request.Create(node, NO_DATA, CreateMode.PERSISTENT));
        later(100, 4_000, () -> delete(node));
    }

    /** Deletes everything, in one transaction or node by node. */
    private void wipe(String path) {
        if (scheduler.chance(0.5) && quorum.isUp()) {
            quorum.commit(0, "admin", transaction -> {
                quorum.tree().subtree(path).forEach(each -> transaction.delete(each, -1));
                return Reply.of(Code.OK);
            });
        } else {
            quorum.tree().subtree(path).forEach(this::delete);
        }
        if (scheduler.chance(0.3)) {
            later(0, 300, () -> administer(SimAction.CREATE_PATH));
        }
    }

    /** Only forward, since the order of the queue and the count of deletions depend on it. */
    private void countFrom(String path, int from) {
        SimTree.@Nullable Node node = quorum.tree().get(path);
        if (node != null && node.creates() < from) {
            quorum.commit(0, "admin", transaction -> {
                transaction.put(path, node.created(from));
                return Reply.of(Code.OK);
            });
        }
    }

    // who

    private void later(long low, long high, Runnable action) {
        scheduler.after(scheduler.millis(low, high), () -> {
            if (!over) {
                action.run();
            }
        });
    }

    private SimHost host() {
        return scheduler.pick(simulation.hosts());
    }

    private String path() {
        return scheduler.pick(simulation.paths());
    }

    private @Nullable SimElection leader() {
        List<SimElection> leaders = new ArrayList<>();
        for (SimHost host : simulation.hosts()) {
            for (SimElection election : host.elections()) {
                if (election.isLeader()) {
                    leaders.add(election);
                }
            }
        }
        return leaders.isEmpty() ? null : scheduler.pick(leaders);
    }

    private @Nullable SimHost leadingHost() {
        SimElection leader = leader();
        return leader == null ? null : leader.host();
    }

    private SimHost leaderOrAny() {
        SimHost leading = scheduler.chance(0.6) ? leadingHost() : null;
        return leading == null ? host() : leading;
    }

    private @Nullable String leaderNode() {
        SimElection leader = leader();
        SimElection.@Nullable LedNode ledNode = leader == null ? null : leader.ledNode();
        return ledNode == null ? null : ledNode.path();
    }

    private @Nullable SimElection anyElection() {
        SimElection leader = scheduler.chance(0.5) ? leader() : null;
        if (leader != null) {
            return leader;
        }
        List<SimElection> elections = host().elections();
        return elections.isEmpty() ? null : scheduler.pick(elections);
    }

    private @Nullable String anyCandidate() {
        String path = path();
        List<String> candidates = quorum.tree().children(path).stream()
                .filter(child -> NodeName.parse(child).isPresent())
                .sorted()
                .toList();
        return candidates.isEmpty() ? null : path + "/" + scheduler.pick(candidates);
    }

    private @Nullable String anyHeartbeat() {
        List<String> heartbeats = quorum.tree().children(Simulation.HEARTBEATS_PARENT).stream()
                .sorted()
                .toList();
        return heartbeats.isEmpty() ? null : Simulation.HEARTBEATS + scheduler.pick(heartbeats);
    }
}
