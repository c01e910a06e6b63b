package io.github.leaderelection.benchmarks.subject;

import java.util.UUID;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.zookeeper.leader.LeaderInitiator;

/** Spring Integration's LeaderInitiator for ZooKeeper, used without an application context. */
final class SpringLeaderInitiator implements Subject {

    @Override
    public String name() {
        return "LeaderInitiator";
    }

    @Override
    public Connection connect(String address, int sessionTimeoutMillis) {
        CuratorFramework client = Clients.curator(address, sessionTimeoutMillis);
        return new CuratorConnection(client, (path, onGranted) -> new InitiatorCandidate(client, path, onGranted));
    }

    private static final class InitiatorCandidate extends AbstractCandidate implements Candidate {
        private final Runnable onGranted;
        private final LeaderInitiator initiator;

        InitiatorCandidate(CuratorFramework client, String path, Runnable onGranted) {
            super(UUID.randomUUID().toString(), path.substring(path.lastIndexOf('/') + 1));
            this.onGranted = onGranted;
            this.initiator = new LeaderInitiator(client, this, path.substring(0, path.lastIndexOf('/')));
        }

        @Override
        public void onGranted(Context context) {
            onGranted.run();
        }

        @Override
        public void onRevoked(Context context) {}

        @Override
        public void start() {
            initiator.start();
        }

        @Override
        public void stepDown() {
            initiator.getContext().yield();
        }

        @Override
        public void close() {
            initiator.stop();
        }

        @Override
        public boolean isLeader() {
            return initiator.getContext().isLeader();
        }
    }
}
