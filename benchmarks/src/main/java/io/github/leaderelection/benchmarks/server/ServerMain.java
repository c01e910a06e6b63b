package io.github.leaderelection.benchmarks.server;

import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** Runs a ZooKeeper server in a process of its own. */
final class ServerMain {

    private ServerMain() {}

    public static void main(String[] configuration) {
        ChildProcess.endWithParent();
        QuorumPeerMain.main(configuration);
    }
}
