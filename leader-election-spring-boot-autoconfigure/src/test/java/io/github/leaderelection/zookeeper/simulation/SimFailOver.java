package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.protocol.Following;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Predecessor;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** After the recovery, when nothing else is wrong: a leader fails, and its heir must lead within a bound. */
final class SimFailOver {

    private static final long INTERVAL = 10 * SimScheduler.MILLIS;
    private static final long SETTLE = 1_500 * SimScheduler.MILLIS;
    /** For a few round trips. */
    private static final long SLACK = 200 * SimScheduler.MILLIS;

    private enum Failure {
        CRASH,
        BLACK_HOLE,
        /** Its heartbeats arrive, but their answers do not. */
        ANSWERS_LOST
    }

    private final Simulation simulation;
    private final SimScheduler scheduler;

    SimFailOver(Simulation simulation) {
        this.simulation = simulation;
        this.scheduler = simulation.scheduler();
    }

    void run() {
        // One that is busy for too long costs its leader the node, which is no fail-over.
        simulation.endBusyListeners();
        runFor(SETTLE);
        @Nullable SimElection leader = new SimTargets(simulation).leader();
        if (leader == null || !(leader.state() instanceof Leading leading) || !isFollowed(leader, leading)) {
            // Something is still on its way.
            return;
        }
        Failure failure = scheduler.pick(List.of(Failure.values()));
        if (failure != Failure.ANSWERS_LOST && endsWithSession(leader, leading)) {
            return;
        }
        simulation.trace().line("failure", "%s of %s", failure, leader.name());
        long bound = wait(leader, leading, failure);
        fail(leader.host(), failure);
        long began = scheduler.now();
        while (!hasSuccessor(leader) && scheduler.now() - began < bound) {
            runFor(INTERVAL);
        }
        simulation
                .checker()
                .require(
                        SimInvariant.FAIL_OVER,
                        hasSuccessor(leader),
                        () -> "nobody leads %s %.0f ms after %s of %s"
                                .formatted(leader.path(), bound / 1e6, failure, leader.name()));
    }

    private void runFor(long duration) {
        long until = scheduler.now() + duration;
        while (simulation.step(until)) {
            // the next event
        }
    }

    /** Its heir observes it, and may replace it; the record is the one that both have read. */
    private boolean isFollowed(SimElection leader, Leading leading) {
        SimTree.@Nullable Node record = simulation.quorum().tree().get(leader.path() + "/" + LeaderRecord.NODE);
        if (isDelayed(leader) || record == null || record.version() != SimElection.version(leading)) {
            return false;
        }
        for (SimElection other : new SimTargets(simulation).others(leader)) {
            if (other.state() instanceof Following following
                    && following.ownNode().name().equals(leading.holding().heir())) {
                Predecessor holder = following.predecessor();
                return !isDelayed(other)
                        && other.mayLead()
                        && following.inheritance() != null
                        && holder.node().equals(leading.ownNode().name())
                        && holder.watched()
                        && holder.session() != 0
                        && !holder.refused();
            }
        }
        return false;
    }

    private static boolean isDelayed(SimElection election) {
        @Nullable SimConnection connection = election.host().client().connection();
        return connection == null || connection.isDelayed();
    }

    /** The session of a leader with a long lease may end first. Then the queue decides, and waits for the lease as well. */
    private static boolean endsWithSession(SimElection leader, Leading leading) {
        long timeout = leader.host().engine().connection().sessionTimeout();
        return wait(leader, leading, Failure.CRASH) > timeout * 2 / 3 * SimScheduler.MILLIS;
    }

    /** A leader whose heartbeats are not answered sends them until its own lease is over. */
    private static long wait(SimElection leader, Leading leading, Failure failure) {
        double silent = SimElection.granted(leading) * 1.1 / Simulation.SLOWEST;
        long lease = leader.host().engine().connection().lease();
        double beating = failure == Failure.ANSWERS_LOST ? lease * 7 / 6.0 / Simulation.SLOWEST : 0;
        return (long) ((silent + beating) * SimScheduler.MILLIS) + SLACK;
    }

    private void fail(SimHost host, Failure failure) {
        @Nullable SimConnection connection = host.client().connection();
        switch (failure) {
            case CRASH -> {
                host.kill();
                simulation.hosts().remove(host);
            }
            case BLACK_HOLE -> {
                if (connection != null) {
                    connection.blackHole();
                }
            }
            case ANSWERS_LOST -> {
                if (connection != null) {
                    connection.loseAnswers();
                }
            }
        }
    }

    private boolean hasSuccessor(SimElection leader) {
        return new SimTargets(simulation).others(leader).stream().anyMatch(SimElection::isLeader);
    }
}
