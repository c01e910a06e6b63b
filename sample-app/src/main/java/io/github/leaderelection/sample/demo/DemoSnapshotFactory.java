package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.demo.DemoSnapshot.ElectionView;
import io.github.leaderelection.sample.demo.DemoSnapshot.ReplicaView;
import io.github.leaderelection.sample.demo.DemoSnapshot.ZooKeeperView;
import io.github.leaderelection.sample.demo.TermTracker.Term;
import io.github.leaderelection.sample.shop.ShopStatus;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;

/** Creates snapshots of the demo. */
@Component
class DemoSnapshotFactory {

    private final Replicas replicas;
    private final CandidateQueues queues;
    private final History history;
    private final DemoZooKeeper zooKeeper;
    private final RestartCoordinator restarts;

    DemoSnapshotFactory(
            Replicas replicas,
            CandidateQueues queues,
            History history,
            DemoZooKeeper zooKeeper,
            RestartCoordinator restarts) {
        this.replicas = replicas;
        this.queues = queues;
        this.history = history;
        this.zooKeeper = zooKeeper;
        this.restarts = restarts;
    }

    DemoSnapshot create() {
        List<ReplicaView> replicaViews =
                replicas.all().stream().map(this::replicaView).toList();
        List<Term> terms = history.terms();
        return new DemoSnapshot(
                Instant.now(),
                zooKeeperView(),
                replicas.areChildProcesses(),
                ReplicaProcess.canPause(),
                replicaViews,
                electionViews(replicaViews, terms),
                terms,
                history.overlaps(),
                history.events());
    }

    private ZooKeeperView zooKeeperView() {
        return new ZooKeeperView(
                zooKeeper.connectString(),
                zooKeeper.isRunning(),
                zooKeeper.isEmbedded(),
                restarts.isInProgress(DemoZooKeeper.NAME));
    }

    private ReplicaView replicaView(Replica replica) {
        return new ReplicaView(
                replica.name(),
                replica.candidate(),
                replica.url().orElse(null),
                replica.process().map(ReplicaProcess::pid).orElse(null),
                replica.state(),
                restarts.isInProgress(replica.name()),
                replica.status().map(ShopStatus::elections).orElseGet(List::of));
    }

    private List<ElectionView> electionViews(List<ReplicaView> replicaViews, List<Term> terms) {
        return replicaViews.stream()
                .flatMap(replica -> replica.elections().stream())
                .map(ElectionInfo::election)
                .distinct()
                .map(name -> new ElectionView(name, leaders(name, terms), queues.get(name)))
                .toList();
    }

    private static List<String> leaders(String election, List<Term> terms) {
        return terms.stream()
                .filter(term -> term.election().equals(election) && term.until() == null)
                .map(Term::replica)
                .toList();
    }
}
