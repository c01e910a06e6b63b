package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Checks the invariants after each task of a process. That is enough: leases end as time passes, but they begin and are
 * renewed only by a task.
 */
final class SimChecker {

    private record Last(String node, long token) {}

    private final Simulation simulation;
    private final Set<SimInvariant> watched;
    private final Map<String, Last> lastLeaders = new HashMap<>();
    private final Map<String, SimElection.LedNode> fenced = new HashMap<>();
    private final SimTakeOvers takeOvers;
    private final SimRequestedTerms requestedTerms;

    SimChecker(Simulation simulation, Set<SimInvariant> watched) {
        this.simulation = simulation;
        this.takeOvers = new SimTakeOvers(this);
        this.requestedTerms = new SimRequestedTerms(simulation, this);
        this.watched = watched.isEmpty() ? EnumSet.noneOf(SimInvariant.class) : EnumSet.copyOf(watched);
    }

    void require(SimInvariant invariant, boolean holds, Supplier<String> message) {
        if (!holds && watched.contains(invariant)) {
            throw new SimViolation(invariant, message.get());
        }
    }

    boolean watchesAny(SimInvariant... invariants) {
        return Stream.of(invariants).anyMatch(watched::contains);
    }

    boolean watches(SimInvariant invariant) {
        return watched.contains(invariant);
    }

    void check() {
        for (String path : simulation.paths()) {
            @Nullable SimElection leader = null;
            for (SimHost host : simulation.hosts()) {
                List<SimElection> elections = host.elections();
                for (int i = 0; i < elections.size(); i++) {
                    SimElection election = elections.get(i);
                    if (election.path().equals(path) && election.isLeader()) {
                        SimElection other = leader;
                        require(
                                SimInvariant.I1,
                                other == null,
                                () -> "two leaders: " + explain(other) + " and " + explain(election));
                        leader = election;
                        checkProof(election);
                        checkToken(election);
                        checkGrace(election);
                    }
                }
            }
        }
    }

    private static String explain(@Nullable SimElection election) {
        return election == null ? "none" : election.name() + " " + election.state();
    }

    /** The last acknowledged heartbeat before the lease began was committed while the own node existed. */
    private void checkProof(SimElection election) {
        Leading leading = (Leading) election.state();
        Moment provenAt = leading.ownNode().provenAt();
        long session = leading.ownNode().session();
        boolean proven = false;
        long sent = Long.MIN_VALUE;
        for (SimHost.Proof proof : election.host().proofs()) {
            if (provenAt == null || proof.session() != session || proof.sentNanos() > provenAt.nanos()) {
                continue;
            }
            if (proof.sentNanos() < sent) {
                break;
            }
            // Several writes may have been sent at the same moment; one of them was acknowledged.
            sent = proof.sentNanos();
            SimTree.@Nullable Node node = simulation
                    .quorum()
                    .at(proof.index())
                    .tree()
                    .get(election.path() + "/" + leading.ownNode().name());
            proven |= node != null && node.owner() == session;
        }
        require(SimInvariant.I2, proven, () -> explain(election) + " leads without proof of its node");
    }

    private void checkToken(SimElection election) {
        Leading leading = (Leading) election.state();
        long token = SimElection.token(leading);
        String node = leading.ownNode().name();
        Last last = lastLeaders.get(election.path());
        if (last == null || !(last.node.equals(node) && last.token == token)) {
            require(
                    SimInvariant.I7,
                    last == null || token > last.token,
                    () -> explain(election) + " leads with token " + token + " after " + last);
            lastLeaders.put(election.path(), new Last(node, token));
        }
    }

    private void checkGrace(SimElection election) {
        Leading leading = (Leading) election.state();
        Moment provenAt = leading.ownNode().provenAt();
        long granted = SimElection.granted(leading) * SimScheduler.MILLIS;
        long used = provenAt == null ? 0 : election.host().time().nanos() - provenAt.nanos();
        require(
                SimInvariant.GRACE,
                used <= granted * (1 - election.host().grace()) + SimScheduler.MILLIS,
                () -> explain(election) + " leads although only " + (granted - used) / 1e6 + " ms are left");
    }

    /** How many candidates were deposed by another one before their sessions had ended. */
    int takeOvers() {
        return takeOvers.count();
    }

    /** Called when a candidate is deposed by another one: a leader that leaves beats until its work has ended. */
    void deposed(String node, long lease) {
        for (SimHost host : simulation.hosts()) {
            for (SimElection election : host.elections()) {
                SimElection.@Nullable LedNode ledNode = election.ledNode();
                if (ledNode != null && ledNode.path().equals(node) && election.drainsAsHolder()) {
                    require(
                            SimInvariant.I6,
                            !host.isSilentFor(lease * SimScheduler.MILLIS),
                            () -> election.name() + " was silent while it drained, and was deposed");
                }
            }
        }
    }

    /** Called with each transaction of a client. */
    void committed(SimTransaction transaction) {
        takeOvers.committed(transaction);
        requestedTerms.committed(transaction);
        SimTree before = transaction.before();
        for (SimTransaction.Change change : transaction.changes()) {
            if (change.type() == EventType.NodeDataChanged && change.path().endsWith("/" + LeaderRecord.NODE)) {
                SimTree.@Nullable Node old = before.get(change.path());
                // After an administrator has deleted the record its versions start again, which no comparison can
                // detect.
                boolean hadEnded = isEnded(old) && old != null && old.version() > 0;
                boolean hasEnded = isEnded(transaction.tree().get(change.path()));
                require(SimInvariant.ENDED, !hadEnded || hasEnded, () -> change.path() + " had ended and continues");
            }
        }
    }

    static boolean isEnded(SimTree.@Nullable Node record) {
        return record != null
                && LeaderRecord.parse(record.data())
                        .filter(parsed -> parsed.state() == LeaderRecord.State.ENDED)
                        .isPresent();
    }

    /**
     * Called with each guarded write that is committed. A node that leads again has another token if its record was deleted; the
     * guards of both terms are the same, and no other candidate has led in between.
     */
    void fencedWrite(String path, SimElection.LedNode by) {
        SimElection.LedNode last = fenced.getOrDefault(path, by);
        require(
                SimInvariant.I7,
                by.token() >= last.token() || by.path().equals(last.path()),
                () -> "a write guarded by token " + by.token() + " was committed after one by " + last.token());
        fenced.put(path, by.token() > last.token() ? by : last);
    }
}
