package io.github.leaderelection.zookeeper.engine;

import java.io.IOException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/** Opens sessions with ZooKeeper: the first one, and another after each expiry. */
@FunctionalInterface
public interface SessionSource {

    ZooKeeper open(Watcher watcher) throws IOException;
}
