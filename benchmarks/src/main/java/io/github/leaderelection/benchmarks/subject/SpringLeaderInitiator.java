package io.github.leaderelection.benchmarks.subject;

import java.util.UUID;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.zookeeper.leader.LeaderInitiator;

/** Spring Integration's LeaderInitiator for ZooKeeper, without an application context. */
final class SpringLeaderInitiator implements Subject {

    @Override
    public String name() {
        return "LeaderInitiator";
    }

    @Override
    public Member connect(String address, int sessionTimeoutMillis) {
        CuratorFramework client = Clients.curator(address, sessionTimeoutMillis);
        return new CuratorMember(client, (path, onLed) -> new Candidate(client, path, onLed));
    }

    private static final class Candidate extends AbstractCandidate implements Contender {
        private final Runnable onLed;
        private final LeaderInitiator initiator;

        Candidate(CuratorFramework client, String path, Runnable onLed) {
            super(UUID.randomUUID().toString(), path.substring(path.lastIndexOf('/') + 1));
            this.onLed = onLed;
            this.initiator = new LeaderInitiator(client, this, path.substring(0, path.lastIndexOf('/')));
        }

        @Override
        public void onGranted(Context context) {
            onLed.run();
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
