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

/** The end of all trouble: everything is healed, and within a bound there must be one leader and nothing astray. */
final class SimPeace {

    /** Session timeout, wait for an unknown lease, recheck, and the longest pause after failures. */
    private static final long BOUND = 75_000 * SimScheduler.MILLIS;

    private static final long LOOK = 50 * SimScheduler.MILLIS;

    private final Simulation simulation;
    private final SimQuorum quorum;

    SimPeace(Simulation simulation) {
        this.simulation = simulation;
        this.quorum = simulation.quorum();
    }

    void make() {
        SimScheduler scheduler = simulation.scheduler();
        simulation.trace().line("peace", "everything is healed");
        heal();
        long until = scheduler.now() + BOUND;
        @Nullable String amiss = amiss();
        while (amiss != null && scheduler.now() < until) {
            long pause = scheduler.now() + LOOK;
            while (simulation.step(pause)) {
                // until it is time to look again
            }
            amiss = amiss();
        }
        String found = amiss;
        simulation
                .checker()
                .require(
                        found != null && found.startsWith("twins") ? SimInvariant.I3 : SimInvariant.I4,
                        found == null,
                        () -> "after the bound: " + found);
    }

    private void heal() {
        simulation.weather().calmDown();
        quorum.deny(null);
        quorum.down(simulation.scheduler().now());
        for (SimHost host : List.copyOf(simulation.hosts())) {
            if (host.isDead()) {
                simulation.hosts().remove(host);
            } else {
                host.wake();
                host.cutOffUntil(0);
                SimConnection connection = host.client().connection();
                if (connection != null && !connection.isSound()) {
                    host.client().lose(connection, true);
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

    /** What is not as it should be; null if all is well. */
    private @Nullable String amiss() {
        for (String path : simulation.paths()) {
            int nominated = 0;
            int leaders = 0;
            Set<String> seats = new HashSet<>();
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
                        seats.add(queued.ownNode().name());
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
                if (node != null && !seats.contains(child)) {
                    return "stray node " + child;
                }
            }
        }
        return null;
    }
}
