package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Finds the transactions by which a candidate takes over from another one: they delete the other's node and write the record.
 * Neither an administrator nor the end of a session does both, and the deletion of an election does not write a holder.
 */
final class SimTakeOvers {

    /**
     * A candidate waits 1.1 leases, by its own clock, from a moment after the last heartbeat was committed. So the holder has
     * not renewed for at least this many leases of true time, however fast that clock is.
     */
    private static final double LEAST_LEASES = 1.1 / Simulation.FASTEST;

    private final SimChecker checker;
    private final Map<Long, Long> lastRenewals = new HashMap<>();
    private int count;

    SimTakeOvers(SimChecker checker) {
        this.checker = checker;
    }

    int count() {
        return count;
    }

    /** Called with each transaction of a client. */
    void committed(SimTransaction transaction) {
        for (SimTransaction.Change change : transaction.changes()) {
            if (change.type() == EventType.NodeDeleted) {
                deleted(transaction, change.path());
            } else if (change.path().startsWith(Simulation.HEARTBEATS)) {
                heartbeat(transaction, change.path());
            } else if (change.type() == EventType.NodeDataChanged
                    && change.path().endsWith("/" + LeaderRecord.NODE)) {
                recordWritten(transaction, change.path());
            }
        }
    }

    /** Only on a node of its own: what another client has created under that name proves nothing. */
    private void heartbeat(SimTransaction transaction, String path) {
        SimTree.@Nullable Node node = transaction.after(path);
        if (node != null && node.owner() == transaction.session()) {
            lastRenewals.put(node.owner(), transaction.at());
        }
    }

    /**
     * A client that puts its own node in the place of another client's begins a lease; a hand-over, an appointment, or a record that
     * is restored does not.
     */
    private void recordWritten(SimTransaction transaction, String path) {
        String parent = Paths.parent(path) + "/";
        SimTree.@Nullable Node former =
                transaction.before().get(parent + holder(transaction.before().get(path)));
        SimTree.@Nullable Node node = transaction.after(parent + holder(transaction.after(path)));
        long session = transaction.session();
        if (node != null && node.owner() == session && (former == null || former.owner() != session)) {
            lastRenewals.put(session, transaction.at());
        }
    }

    private static String holder(SimTree.@Nullable Node record) {
        return record == null ? "" : held(record).map(LeaderRecord::holder).orElse("");
    }

    private void deleted(SimTransaction transaction, String path) {
        SimTree.@Nullable Node node = transaction.before().get(path);
        boolean candidate = NodeName.parse(Paths.name(path)).isPresent();
        if (node == null || !candidate || node.owner() == 0 || node.owner() == transaction.session()) {
            return;
        }
        String recordPath = Paths.parent(path) + "/" + LeaderRecord.NODE;
        SimTree.@Nullable Node before = transaction.before().get(recordPath);
        SimTree.@Nullable Node after = transaction.after(recordPath);
        boolean written = before != null && after != null && after.version() > before.version();
        if (written && held(after).isPresent()) {
            count++;
            held(before).ifPresent(record -> check(transaction, path, node.owner(), record.lease()));
        }
    }

    private static Optional<LeaderRecord> held(SimTree.Node record) {
        return LeaderRecord.parse(record.data()).filter(parsed -> parsed.state() == LeaderRecord.State.HELD);
    }

    private void check(SimTransaction transaction, String path, long owner, long lease) {
        @Nullable Long last = lastRenewals.get(owner);
        double silent = last == null ? Double.MAX_VALUE : (transaction.at() - last) / 1e6;
        checker.require(
                SimInvariant.DEPOSED_IN_TIME,
                silent >= LEAST_LEASES * lease,
                () -> "%s was deposed %.1f ms after its last renewal, with a lease of %d ms"
                        .formatted(path, silent, lease));
        checker.deposed(path, lease);
    }
}
