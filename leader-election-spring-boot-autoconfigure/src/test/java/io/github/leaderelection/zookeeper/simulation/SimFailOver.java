package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.protocol.Following;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Predecessor;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * After the recovery, when nothing else is wrong: a leader fails, and its heir must lead within a bound; or no server can be
 * reached for longer than any session lasts, and afterwards a candidate must lead within a bound.
 */
final class SimFailOver {

    private static final long INTERVAL = 10 * SimScheduler.MILLIS;
    private static final long SETTLE = 1_500 * SimScheduler.MILLIS;
    /** For a few round trips. */
    private static final long SLACK = 200 * SimScheduler.MILLIS;
    /** Until all clients have connected again. */
    private static final long RECONNECT = 300 * SimScheduler.MILLIS;

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
        if (leader == null || !(leader.state() instanceof Leading leading)) {
            return;
        }
        if (scheduler.chance(0.25)) {
            if (isSound(leader.path())) {
                outage(leader, leading);
            }
            return;
        }
        if (!isFollowed(leader, leading)) {
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

    /**
     * The clients give their sessions up meanwhile, but the servers expire them only a session timeout after the outage. No
     * candidate waits for that: only for the lease in the record.
     */
    private void outage(SimElection leader, Leading leading) {
        long longest = 0;
        for (SimHost host : simulation.hosts()) {
            longest = Math.max(longest, host.engine().connection().sessionTimeout());
        }
        simulation.trace().line("failure", "no server can be reached for %d ms", 2 * longest);
        simulation.quorum().down(scheduler.now() + 2 * longest * SimScheduler.MILLIS);
        for (SimHost host : simulation.hosts()) {
            host.client().lose(host.client().connection(), true);
        }
        runFor(2 * longest * SimScheduler.MILLIS);
        double lease = SimElection.granted(leading) * 1.1 / Simulation.SLOWEST;
        long bound = (long) (lease * SimScheduler.MILLIS) + RECONNECT + SLACK;
        long began = scheduler.now();
        while (!isLed(leader.path()) && scheduler.now() - began < bound) {
            runFor(INTERVAL);
        }
        simulation
                .checker()
                .require(
                        SimInvariant.FAIL_OVER,
                        isLed(leader.path()),
                        () -> "nobody leads %s %.0f ms after an outage".formatted(leader.path(), bound / 1e6));
    }

    /**
     * Without a record that can be read, a session timeout is waited for; a candidate without a heartbeat joins again; and what
     * a candidate that leaves has left behind stays.
     */
    private boolean isSound(String path) {
        SimTree.@Nullable Node record = simulation.quorum().tree().get(path + "/" + LeaderRecord.NODE);
        return record != null
                && LeaderRecord.parse(record.data()).isPresent()
                && new SimRecovery(simulation).isDone()
                && simulation.hosts().stream().allMatch(host -> new SimTargets(simulation).heartbeat(host) != null);
    }

    private boolean isLed(String path) {
        return simulation.hosts().stream()
                .flatMap(host -> host.elections().stream())
                .anyMatch(election -> election.path().equals(path) && election.isLeader());
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
