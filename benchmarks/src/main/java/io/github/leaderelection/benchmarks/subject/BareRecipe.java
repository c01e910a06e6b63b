package io.github.leaderelection.benchmarks.subject;

import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The recipe of ZooKeeper's documentation on its asynchronous client: create a node, list the queue, watch the predecessor.
 * This is about the minimum. It handles no failures and must not be used for anything but comparison.
 */
final class BareRecipe implements Subject {

    private static final byte[] NO_DATA = {};

    @Override
    public String name() {
        return "bare recipe";
    }

    @Override
    public Connection connect(String address, int sessionTimeoutMillis) {
        return new RecipeConnection(Clients.connect(address, sessionTimeoutMillis));
    }

    private record RecipeConnection(ZooKeeper client, List<RecipeCandidate> candidates) implements Connection {

        RecipeConnection(ZooKeeper client) {
            this(client, new ArrayList<>());
        }

        @Override
        public Candidate candidate(String path, Runnable onGranted) {
            RecipeCandidate candidate = new RecipeCandidate(client, path, onGranted);
            candidates.add(candidate);
            return candidate;
        }

        @Override
        public long session() {
            return client.getSessionId();
        }

        @Override
        public void leaveAll() {
            candidates.forEach(RecipeCandidate::close);
        }

        @Override
        public void close() {
            Clients.close(client);
        }
    }

    private static final class RecipeCandidate implements Candidate, Watcher {
        private final ZooKeeper client;
        private final String path;
        private final Runnable onGranted;
        private volatile @Nullable String node;
        private volatile boolean leader;

        RecipeCandidate(ZooKeeper client, String path, Runnable onGranted) {
            this.client = client;
            this.path = path;
            this.onGranted = onGranted;
        }

        @Override
        public void start() {
            client.create(
                    path + "/n-",
                    NO_DATA,
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.EPHEMERAL_SEQUENTIAL,
                    (rc, asked, context, name) -> {
                        if (rc == Code.OK.intValue()) {
                            node = name;
                            readQueue();
                        } else if (rc == Code.NONODE.intValue()) {
                            createPath();
                        }
                    },
                    null);
        }

        private void createPath() {
            for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
                create(path.substring(0, end));
            }
            create(path);
            start();
        }

        private void create(String parent) {
            client.create(
                    parent,
                    NO_DATA,
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT,
                    (rc, asked, context, name) -> {},
                    null);
        }

        private void readQueue() {
            client.getChildren(
                    path,
                    false,
                    (rc, asked, context, children) -> {
                        String own = node;
                        if (rc == Code.OK.intValue() && own != null) {
                            leadOrWatch(children, own.substring(path.length() + 1));
                        }
                    },
                    null);
        }

        private void leadOrWatch(List<String> children, String own) {
            String predecessor = "";
            for (String child : children) {
                if (child.compareTo(own) < 0 && child.compareTo(predecessor) > 0) {
                    predecessor = child;
                }
            }
            if (predecessor.isEmpty()) {
                leader = true;
                onGranted.run();
            } else {
                client.getData(
                        path + "/" + predecessor,
                        this,
                        (rc, asked, context, data, stat) -> {
                            if (rc == Code.NONODE.intValue()) {
                                readQueue();
                            }
                        },
                        null);
            }
        }

        @Override
        public void process(WatchedEvent event) {
            if (event.getType() == Event.EventType.NodeDeleted) {
                readQueue();
            }
        }

        @Override
        public void stepDown() {
            close();
            start();
        }

        @Override
        public void close() {
            leader = false;
            String own = node;
            if (own != null) {
                node = null;
                client.delete(own, -1, (rc, asked, context) -> {}, null);
            }
        }

        @Override
        public boolean isLeader() {
            return leader;
        }
    }
}
