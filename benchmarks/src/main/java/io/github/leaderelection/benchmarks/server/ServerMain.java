package io.github.leaderelection.benchmarks.server;

import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** The main class of a server's process. */
final class ServerMain {

    private ServerMain() {}

    public static void main(String[] configuration) {
        ChildProcess.endWithParent();
        QuorumPeerMain.main(configuration);
    }
}
