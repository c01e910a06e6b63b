package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.protocol.Closed;
import io.github.leaderelection.zookeeper.protocol.Observing;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.State;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Ends all faults; within a bound there must be one leader and no stray node. */
final class SimRecovery {

    private static final long INTERVAL = 50 * SimScheduler.MILLIS;

    private final Simulation simulation;
    private final SimQuorum quorum;

    SimRecovery(Simulation simulation) {
        this.simulation = simulation;
        this.quorum = simulation.quorum();
    }

    void run() {
        SimScheduler scheduler = simulation.scheduler();
        simulation.trace().line("recovery", "all faults end");
        heal();
        long until = scheduler.now() + simulation.profile().recovery * SimScheduler.MILLIS;
        @Nullable String problem = problem();
        while (problem != null && scheduler.now() < until) {
            long next = scheduler.now() + INTERVAL;
            while (simulation.step(next)) {
                // until the next check
            }
            problem = problem();
        }
        String found = problem;
        simulation
                .checker()
                .require(
                        found != null && found.startsWith("twins") ? SimInvariant.I3 : SimInvariant.I4,
                        found == null,
                        () -> "after the bound: " + found);
    }

    private void heal() {
        simulation.latency().endDelays();
        quorum.deny(null);
        quorum.denyDeletesOfOthers(false);
        if (!quorum.isUp()) {
            quorum.down(simulation.scheduler().now());
        }
        for (SimHost host : List.copyOf(simulation.hosts())) {
            if (host.isDead()) {
                simulation.hosts().remove(host);
            } else {
                host.wake();
                host.cutOffUntil(0);
                host.client().endDelays();
                SimConnection connection = host.client().connection();
                if (connection != null && !connection.isHealthy()) {
                    host.client().lose(connection, true);
                } else if (connection != null) {
                    connection.endDelays();
                }
                host.client().updateHealth();
            }
        }
        quorum.commit(0, "admin", transaction -> {
            for (String path : simulation.paths()) {
                for (String child : quorum.tree().children(path)) {
                    SimTree.@Nullable Node node = quorum.tree().get(path + "/" + child);
                    if (NodeName.parse(child).isPresent() && node != null && node.owner() == 0) {
                        transaction.delete(path + "/" + child, -1);
                    }
                }
            }
            return Reply.of(Code.OK);
        });
    }

    /** Whether nothing is wrong. */
    boolean isDone() {
        return problem() == null;
    }

    /** What is still wrong; null if nothing is. */
    private @Nullable String problem() {
        for (String path : simulation.paths()) {
            int nominated = 0;
            int leaders = 0;
            Set<String> ownNodes = new HashSet<>();
            Set<String> guids = new HashSet<>();
            for (SimHost host : simulation.hosts()) {
                if (host.isDeleting()) {
                    return host.name() + " is still deleting";
                }
                for (SimElection election : host.elections()) {
                    if (!election.path().equals(path)) {
                        continue;
                    }
                    State state = election.state();
                    if (state instanceof Queued queued) {
                        nominated++;
                        ownNodes.add(queued.ownNode().name());
                    } else if (!(state instanceof Observing || state instanceof Closed)) {
                        return election.name() + " is still " + SimDescribe.state(state);
                    }
                    leaders += election.isLeader() ? 1 : 0;
                }
            }
            if (nominated > 0 && leaders != 1) {
                return "%s has %d leaders of %d nominated".formatted(path, leaders, nominated);
            }
            for (String child : quorum.tree().children(path)) {
                NodeName node = NodeName.parse(child).orElse(null);
                if (node != null && !guids.add(NodeName.guid(child))) {
                    return "twins of " + child;
                }
                if (node != null && !ownNodes.contains(child)) {
                    return "stray node " + child;
                }
            }
        }
        return null;
    }
}
