package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses whom an action hits. */
final class SimTargets {

    private final Simulation simulation;
    private final SimScheduler scheduler;
    private final SimQuorum quorum;

    SimTargets(Simulation simulation) {
        this.simulation = simulation;
        this.scheduler = simulation.scheduler();
        this.quorum = simulation.quorum();
    }

    // processes

    SimHost host() {
        return scheduler.pick(simulation.hosts());
    }

    @Nullable
    SimHost leadingHost() {
        SimElection leader = leader();
        return leader == null ? null : leader.host();
    }

    SimHost leaderOrAny() {
        SimHost leading = scheduler.chance(0.6) ? leadingHost() : null;
        return leading == null ? host() : leading;
    }

    /** A process that does not lead the given election; null if there is none. */
    @Nullable
    SimHost hostOtherThan(SimElection leader) {
        List<SimHost> others = new ArrayList<>(simulation.hosts());
        others.remove(leader.host());
        return others.isEmpty() ? null : scheduler.pick(others);
    }

    // elections

    String path() {
        return scheduler.pick(simulation.paths());
    }

    @Nullable
    SimElection leader() {
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

    @Nullable
    SimElection anyElection() {
        SimElection leader = scheduler.chance(0.5) ? leader() : null;
        if (leader != null) {
            return leader;
        }
        List<SimElection> elections = host().elections();
        return elections.isEmpty() ? null : scheduler.pick(elections);
    }

    /** The elections of a path that are open, except the given one. */
    List<SimElection> others(SimElection than) {
        List<SimElection> others = new ArrayList<>();
        for (SimHost host : simulation.hosts()) {
            for (SimElection election : host.elections()) {
                if (election != than && !election.isOver() && election.path().equals(than.path())) {
                    others.add(election);
                }
            }
        }
        return others;
    }

    /** The lease of a leader in nanoseconds; that of a usual leader if it does not lead. */
    static long lease(@Nullable SimElection leader) {
        long millis =
                leader != null && leader.state() instanceof Leading leading ? SimElection.granted(leading) : 1_500;
        return millis * SimScheduler.MILLIS;
    }

    // nodes

    @Nullable
    String leaderNode() {
        SimElection leader = leader();
        SimElection.@Nullable LedNode ledNode = leader == null ? null : leader.ledNode();
        return ledNode == null ? null : ledNode.path();
    }

    @Nullable
    String anyCandidate() {
        String path = path();
        List<String> candidates = quorum.tree().children(path).stream()
                .filter(child -> NodeName.parse(child).isPresent())
                .sorted()
                .toList();
        return candidates.isEmpty() ? null : path + "/" + scheduler.pick(candidates);
    }

    /** The node that the record says holds the leadership. */
    @Nullable
    String holder(String path) {
        SimTree.@Nullable Node record = quorum.tree().get(path + "/" + LeaderRecord.NODE);
        return record == null
                ? null
                : LeaderRecord.parse(record.data())
                        .map(held -> path + "/" + held.holder())
                        .orElse(null);
    }

    @Nullable
    String anyHeartbeat() {
        List<String> heartbeats = quorum.tree().children(Simulation.HEARTBEATS_PARENT).stream()
                .sorted()
                .toList();
        return heartbeats.isEmpty() ? null : Simulation.HEARTBEATS + scheduler.pick(heartbeats);
    }

    /** The heartbeat of a connection that leads. */
    @Nullable
    String leaderHeartbeat() {
        SimHost leading = leadingHost();
        return leading == null ? null : heartbeat(leading);
    }

    @Nullable
    String heartbeat(SimHost host) {
        SimQuorum.@Nullable Session session = host.client().session();
        return session == null
                ? null
                : quorum.tree().ownedBy(session.id).stream()
                        .filter(path -> path.startsWith(Simulation.HEARTBEATS))
                        .findFirst()
                        .orElse(null);
    }
}
