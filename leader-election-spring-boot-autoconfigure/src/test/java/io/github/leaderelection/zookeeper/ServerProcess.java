package io.github.leaderelection.zookeeper;

import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** The main class of a server of a {@link TestEnsemble}. */
final class ServerProcess {

    private ServerProcess() {}

    public static void main(String[] configuration) {
        ChildProcess.endWithParent();
        QuorumPeerMain.main(configuration);
    }
}
