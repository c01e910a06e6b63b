package io.github.leaderelection.zookeeper;

import java.io.IOException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/** Opens sessions with ZooKeeper: one at startup, and another one each time a session has expired. */
@FunctionalInterface
public interface ZooKeeperSessions {

    /**
     * Opens a session. It need not wait until the session is connected.
     *
     * @param watcher the default watcher of the client
     * @return a client, which the caller closes
     */
    ZooKeeper open(Watcher watcher) throws IOException;
}
