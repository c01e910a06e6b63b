package io.github.leaderelection.benchmarks.subject;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;

/** Curator's LeaderLatch. It cannot step down, so it is closed and replaced by a new one. */
final class CuratorLeaderLatch implements Subject {

    @Override
    public String name() {
        return "LeaderLatch";
    }

    @Override
    public Connection connect(String address, int sessionTimeoutMillis) {
        CuratorFramework client = Clients.curator(address, sessionTimeoutMillis);
        return new CuratorConnection(client, (path, onGranted) -> new LatchCandidate(client, path, onGranted));
    }

    private static final class LatchCandidate implements Candidate {
        private final CuratorFramework client;
        private final String path;
        private final Runnable onGranted;
        private LeaderLatch latch;
        private boolean open;

        LatchCandidate(CuratorFramework client, String path, Runnable onGranted) {
            this.client = client;
            this.path = path;
            this.onGranted = onGranted;
            this.latch = newLatch();
        }

        private LeaderLatch newLatch() {
            var fresh = new LeaderLatch(client, path);
            fresh.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    onGranted.run();
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
