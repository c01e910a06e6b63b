package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.zookeeper.engine.TestClock;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * A server, candidates of one election, and an administrator. All the while it looks whether two candidates lead at the
 * same instant; {@link #close()} fails if that was seen.
 */
final class Scene implements AutoCloseable {

    static final String PATH = "/elections/orders";
    static final String RECORD = PATH + "/leader";

    final TestServer server = new TestServer();
    final ZooKeeper admin = server.connect(Duration.ofSeconds(30));

    private final List<Peer> peers = new CopyOnWriteArrayList<>();
    private final List<String> overlaps = new CopyOnWriteArrayList<>();
    private final Thread guard = new Thread(this::watchOut, "two-leaders");
    private volatile boolean closed;

    Scene() {
        guard.setDaemon(true);
        guard.start();
    }

    Peer peer(String id, Duration sessionTimeout) throws IOException {
        return peer(id, sessionTimeout, options -> options);
    }

    Peer peer(String id, Duration sessionTimeout, UnaryOperator<ElectionOptions> change) throws IOException {
        return peer(id, sessionTimeout, change, client -> {});
    }

    /** A candidate; each client that it opens is shown first. */
    Peer peer(
            String id, Duration sessionTimeout, UnaryOperator<ElectionOptions> change, Consumer<StaleZooKeeper> onOpen)
            throws IOException {
        return add(Peer.withSessions(server, sessionTimeout, change.apply(options(id)), PATH, onOpen));
    }

    Peer peer(String id, Duration sessionTimeout, UnaryOperator<ElectionOptions> change, TestClock clock)
            throws IOException {
        return add(Peer.withClock(server, sessionTimeout, change.apply(options(id)), PATH, clock));
    }

    private static ElectionOptions options(String id) {
        return ElectionOptions.defaults()
                .candidate(id, Map.of())
                .connectionTimeout(Duration.ofSeconds(10))
                .drainTimeout(Duration.ofSeconds(5))
                // Whatever a test sees was not healed by the recheck.
                .recheckInterval(Duration.ofMinutes(10));
    }

    private Peer add(Peer peer) {
        peers.add(peer);
        return peer;
    }

    // the administrator

    /** The candidates' nodes, first come first. */
    List<String> nodes() throws KeeperException, InterruptedException {
        return admin.getChildren(PATH, false).stream()
                .filter(child -> child.startsWith(NodeName.PREFIX))
                .sorted((a, b) -> a.substring(a.lastIndexOf('-')).compareTo(b.substring(b.lastIndexOf('-'))))
                .toList();
    }

    /** The path of the node with this czxid. */
    String node(long token) throws KeeperException, InterruptedException {
        for (String child : nodes()) {
            if (stat(PATH + "/" + child).getCzxid() == token) {
                return PATH + "/" + child;
            }
        }
        throw new IllegalStateException("No node has token " + token);
    }

    /** The peer's own node, as its status says. */
    String node(Peer peer) throws KeeperException, InterruptedException {
        return node(peer.token());
    }

    Stat stat(String path) throws KeeperException, InterruptedException {
        Stat stat = admin.exists(path, false);
        if (stat == null) {
            throw new KeeperException.NoNodeException(path);
        }
        return stat;
    }

    boolean exists(String path) throws KeeperException, InterruptedException {
        return admin.exists(path, false) != null;
    }

    void delete(String path) throws KeeperException, InterruptedException {
        admin.delete(path, -1);
    }

    /** Deletes the election and everything in it, at once and without telling the rules. */
    void wipe() throws KeeperException, InterruptedException {
        ZKUtil.deleteRecursive(admin, PATH);
    }

    void makeElection() throws KeeperException, InterruptedException {
        for (String path : Paths.fromTop(PATH)) {
            if (!exists(path)) {
                admin.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
        }
    }

    LeaderRecord record() throws KeeperException, InterruptedException {
        return LeaderRecord.parse(admin.getData(RECORD, false, null)).orElseThrow();
    }

    /** Waits until there are so many candidates. */
    void awaitCandidates(int number) {
        await().atMost(Peer.PATIENCE).untilAsserted(() -> assertThat(nodes()).hasSize(number));
    }

    /** Waits until the server has been told that somebody keeps the peer's beats in sight. */
    void awaitObserved(Peer peer) {
        String heartbeat = heartbeat(peer);
        await().atMost(Peer.PATIENCE)
                .until(() -> server.server()
                        .getZKDatabase()
                        .getDataTree()
                        .getWatchesByPath()
                        .hasSessions(heartbeat));
    }

    /** The path of the peer's beat, as its node says. */
    String heartbeat(Peer peer) {
        try {
            return CandidateData.parse(admin.getData(node(peer), false, null)).heartbeat();
        } catch (KeeperException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // two leaders

    private void watchOut() {
        while (!closed) {
            for (Peer one : peers) {
                one.election.leadership().ifPresent(term -> {
                    for (Peer other : peers) {
                        // If the term is valid after the other was seen to lead, it was so at that instant too.
                        if (other != one && other.isLeader() && term.isValid()) {
                            overlaps.add(other.election.leadership() + " during " + term);
                        }
                    }
                });
            }
            LockSupport.parkNanos(200_000);
        }
    }

    @Override
    public void close() throws Exception {
        List<String> seen = List.copyOf(overlaps);
        List.copyOf(peers).stream()
                .map(peer -> Peer.inBackground(peer::close))
                .toList()
                .forEach(done -> done.join());
        closed = true;
        guard.join();
        admin.close();
        server.close();
        assertThat(seen).as("instants at which two led").isEmpty();
        assertThat(overlaps).as("instants at which two led, at the end").isEmpty();
    }
}
