package io.github.leaderelection.zookeeper;

import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** The main class of a server of a {@link TestEnsemble}. */
final class ServerProcess {

    private ServerProcess() {}

    public static void main(String[] configuration) {
        ChildProcess.endWithParent();
        // It goes to a file, and is needed where the servers do not find together.
        System.setProperty("zookeeper.log.level", "INFO");
        // A vote that got lost on a broken link is sent again after ever longer pauses, up to a minute each.
        System.setProperty("zookeeper.fastleader.maxNotificationInterval", "1000");
        QuorumPeerMain.main(configuration);
    }
}
