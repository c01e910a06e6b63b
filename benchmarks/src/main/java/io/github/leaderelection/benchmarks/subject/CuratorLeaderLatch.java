package io.github.leaderelection.benchmarks.subject;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;

/** Curator's LeaderLatch; it cannot step down, so it is closed and a new one started. */
final class CuratorLeaderLatch implements Subject {

    @Override
    public String name() {
        return "LeaderLatch";
    }

    @Override
    public Member connect(String address, int sessionTimeoutMillis) {
        CuratorFramework client = Clients.curator(address, sessionTimeoutMillis);
        return new CuratorMember(client, (path, onLed) -> new Candidate(client, path, onLed));
    }

    private static final class Candidate implements Contender {
        private final CuratorFramework client;
        private final String path;
        private final Runnable onLed;
        private LeaderLatch latch;
        private boolean open;

        Candidate(CuratorFramework client, String path, Runnable onLed) {
            this.client = client;
            this.path = path;
            this.onLed = onLed;
            this.latch = newLatch();
        }

        private LeaderLatch newLatch() {
            var fresh = new LeaderLatch(client, path);
            fresh.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    onLed.run();
                }

                @Override
                public void notLeader() {}
            });
            return fresh;
        }

        @Override
        public void start() {
            open = true;
            try {
                latch.start();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }

        @Override
        public void stepDown() {
            close();
            latch = newLatch();
            start();
        }

        @Override
        public void close() {
            if (open) {
                open = false;
                try {
                    latch.close();
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            }
        }

        @Override
        public boolean isLeader() {
            return latch.hasLeadership();
        }
    }
}
