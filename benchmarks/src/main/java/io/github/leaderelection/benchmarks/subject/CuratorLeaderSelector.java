package io.github.leaderelection.benchmarks.subject;

import java.util.concurrent.Semaphore;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListenerAdapter;

/** Curator's LeaderSelector with automatic requeueing. */
final class CuratorLeaderSelector implements Subject {

    @Override
    public String name() {
        return "LeaderSelector";
    }

    @Override
    public Connection connect(String address, int sessionTimeoutMillis) {
        CuratorFramework client = Clients.curator(address, sessionTimeoutMillis);
        return new CuratorConnection(client, (path, onGranted) -> new SelectorCandidate(client, path, onGranted));
    }

    private static final class SelectorCandidate extends LeaderSelectorListenerAdapter implements Candidate {
        private final Runnable onGranted;
        private final LeaderSelector selector;
        private final Semaphore end = new Semaphore(0);
        private boolean open;

        SelectorCandidate(CuratorFramework client, String path, Runnable onGranted) {
            this.onGranted = onGranted;
            this.selector = new LeaderSelector(client, path, this);
            selector.autoRequeue();
        }

        /** Leadership lasts until this method returns. */
        @Override
        public void takeLeadership(CuratorFramework client) throws InterruptedException {
            onGranted.run();
            end.acquire();
        }

        @Override
        public void start() {
            open = true;
            selector.start();
        }

        @Override
        public void stepDown() {
            end.release();
        }

        @Override
        public void close() {
            if (open) {
                open = false;
                selector.close();
            }
        }

        @Override
        public boolean isLeader() {
            return selector.hasLeadership();
        }
    }
}
