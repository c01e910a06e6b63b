package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.subject.Clients;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** Creates the nodes of elections and counts their candidates. */
final class AdminClient implements AutoCloseable {

    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final ZooKeeper client;
    private long requests;

    AdminClient(String address) {
        client = Clients.connect(address, Scenario.LONG_SESSION_MILLIS);
    }

    /** The number of requests sent so far, to be subtracted where packets are counted. */
    long requests() {
        return requests;
    }

    /** Creates a node and its parents, unless they exist. */
    String createPath(String path) throws KeeperException, InterruptedException {
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            createNode(path.substring(0, end));
        }
        createNode(path);
        return path;
    }

    private void createNode(String path) throws KeeperException, InterruptedException {
        requests++;
        if (client.exists(path, false) == null) {
            requests++;
            client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
    }

    /** The milliseconds since a node was created. */
    long age(String path) throws KeeperException, InterruptedException {
        requests++;
        return System.currentTimeMillis() - client.exists(path, false).getCtime();
    }

    /** Waits for the given number of candidates, and a moment longer so that they have set their watches. */
    void awaitCandidates(String path, int count) throws Exception {
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        while (candidates(path) != count) {
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException(
                        "Expected %d candidates at %s, but found %d".formatted(count, path, candidates(path)));
            }
            LockSupport.parkNanos(200_000);
        }
        LockSupport.parkNanos(3_000_000);
    }

    private long candidates(String path) throws KeeperException, InterruptedException {
        requests++;
        try {
            List<String> children = client.getChildren(path, false);
            return children.stream().filter(AdminClient::isSequential).count();
        } catch (NoNodeException none) {
            return 0;
        }
    }

    /** Candidates of all subjects are sequential nodes, whose names end with ten digits. */
    private static boolean isSequential(String name) {
        return name.length() > 10 && name.substring(name.length() - 10).chars().allMatch(Character::isDigit);
    }

    @Override
    public void close() {
        Clients.close(client);
    }
}
