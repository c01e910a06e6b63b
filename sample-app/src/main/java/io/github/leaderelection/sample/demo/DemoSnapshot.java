package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the page shows, at one point in time.
 *
 * @param controllable whether the demo can kill, pause and start the replicas
 * @param pausable whether processes can be paused on this operating system
 * @param overlaps number of pairs of terms of the same election that overlap; expected to be zero
 */
record DemoSnapshot(
        Instant now,
        ZooKeeperView zooKeeper,
        boolean controllable,
        boolean pausable,
        List<ReplicaView> replicas,
        List<ElectionView> elections,
        List<TermTracker.Term> terms,
        long overlaps,
        List<History.Event> events) {

    /**
     * The ZooKeeper server.
     *
     * @param restartable whether the demo started it
     * @param restarting whether a restart is in progress
     */
    record ZooKeeperView(String address, boolean running, boolean restartable, boolean restarting) {}

    /**
     * A replica.
     *
     * @param elections the elections as last reported by the replica
     */
    record ReplicaView(
            String name,
            String candidate,
            @Nullable URI url,
            @Nullable Long pid,
            Replica.State state,
            boolean restarting,
            List<ElectionInfo> elections) {}

    /**
     * An election.
     *
     * @param leaders the replicas that are in the middle of a term: one or none
     */
    record ElectionView(String name, List<String> leaders, CandidateQueue queue) {}
}
