package io.github.leaderelection.zookeeper;

import io.github.leaderelection.zookeeper.engine.Clock;
import org.apache.zookeeper.ZooKeeper;

/** Opens elections that run on a test's clock, for tests outside this package. */
public final class ElectionsWithClock {

    private ElectionsWithClock() {}

    public static ZooKeeperElections over(ZooKeeper client, ElectionOptions options, Clock clock) {
        return ZooKeeperElections.over(client, options, clock);
    }
}
