package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.support.MoveCause;
import io.github.leaderelection.zookeeper.protocol.CandidateNode;
import io.github.leaderelection.zookeeper.protocol.Leaving;
import io.github.leaderelection.zookeeper.protocol.Move;
import io.github.leaderelection.zookeeper.znode.HandOverRequest;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.HashMap;
import java.util.Map;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The terms that a client has asked for, which begin with a transaction that deletes the request. It goes by holder and token,
 * not by the mark in the record, which may get lost.
 */
final class SimRequestedTerms {

    private record Term(String holder, long token) {}

    private final Simulation simulation;
    private final SimChecker checker;
    private final Map<String, Term> requested = new HashMap<>();

    SimRequestedTerms(Simulation simulation, SimChecker checker) {
        this.simulation = simulation;
        this.checker = checker;
    }

    /** Called with each transaction of a client. A record that was deleted may be restored, and the term goes on. */
    void committed(SimTransaction transaction) {
        for (SimTransaction.Change change : transaction.changes()) {
            boolean record = change.path().endsWith("/" + LeaderRecord.NODE);
            if (record && change.type() != EventType.NodeDeleted) {
                written(transaction, Paths.parent(change.path()), term(transaction.after(change.path())));
            }
        }
    }

    private void written(SimTransaction transaction, String election, @Nullable Term now) {
        Term before = requested.get(election);
        if (before != null && !before.equals(now)) {
            requested.remove(election);
            String node = election + "/" + before.holder();
            checker.require(
                    SimInvariant.REQUESTED, !isMoved(node), () -> node + " has lost a term that a client asked for");
        }
        if (now != null && deletesRequest(transaction, election)) {
            requested.put(election, now);
        }
    }

    private static @Nullable Term term(SimTree.@Nullable Node record) {
        return record == null
                ? null
                : LeaderRecord.parse(record.data())
                        .filter(parsed -> parsed.state() == LeaderRecord.State.HELD)
                        .map(parsed -> new Term(parsed.holder(), parsed.token()))
                        .orElse(null);
    }

    private static boolean deletesRequest(SimTransaction transaction, String election) {
        String request = election + "/" + HandOverRequest.NODE;
        return transaction.changes().stream()
                .anyMatch(change ->
                        change.type() == EventType.NodeDeleted && change.path().equals(request));
    }

    /** Whether that candidate leaves because of a priority or to spread elections. */
    private boolean isMoved(String node) {
        return simulation.hosts().stream()
                .flatMap(host -> host.elections().stream())
                .anyMatch(election -> election.state() instanceof Leaving leaving
                        && isOf(node, leaving.departure().ownNode())
                        && isByPolicy(leaving.departure().move()));
    }

    private static boolean isOf(String path, @Nullable CandidateNode node) {
        return node != null && node.path().equals(path);
    }

    private static boolean isByPolicy(@Nullable Move move) {
        return move != null && move.cause() != MoveCause.REQUESTED;
    }
}
