package io.github.leaderelection.zookeeper;

import java.io.IOException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/** Opens sessions with ZooKeeper: one at the start, and a fresh one whenever the last has expired. */
@FunctionalInterface
public interface ZooKeeperSessions {

    /**
     * Opens a session, and need not wait until it is connected.
     *
     * @param watcher to be given to the client as its default watcher
     * @return a client that is closed by whoever called
     */
    ZooKeeper open(Watcher watcher) throws IOException;
}
