package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;

/** A server, an administrator, and candidates to be disturbed; what a test starts here is stopped after it. */
abstract class FaultTestBench {

    /** Leases are a third of it: long enough not to end by chance on a busy machine. */
    static final Duration SESSION = Duration.ofSeconds(3);

    /** Whatever is to happen happens within this time, by far. */
    static final Duration BOUND = Duration.ofSeconds(20);

    static final String PATH = "/elections/orders";
    static final String RECORD = PATH + "/leader";

    final TestServer server = new TestServer();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final ExecutorService background = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "test-background");
        thread.setDaemon(true);
        return thread;
    });
    private ZooKeeper admin;

    @AfterEach
    void closeEverything() throws Exception {
        background.shutdownNow();
        while (!open.isEmpty()) {
            open.pop().close();
        }
        server.close();
    }

    final <T extends AutoCloseable> T keep(T resource) {
        open.push(resource);
        return resource;
    }

    static ElectionOptions options(String id) {
        return ElectionOptions.defaults()
                .candidate(id, Map.of())
                .connectionTimeout(Duration.ofSeconds(10))
                .drainTimeout(Duration.ofSeconds(5));
    }

    final ZooKeeper client() {
        return keep(server.connect(SESSION));
    }

    final ZooKeeper client(TcpProxy proxy) {
        return keep(TestServer.connect(proxy.address(), SESSION));
    }

    final LossyZooKeeper lossyClient() {
        var connected = new CountDownLatch(1);
        try {
            var client = keep(new LossyZooKeeper(server.address(), (int) SESSION.toMillis(), event -> {
                if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                    connected.countDown();
                }
            }));
            assertThat(connected.await(20, TimeUnit.SECONDS)).isTrue();
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    final TcpProxy proxy() {
        return keep(new TcpProxy(server.port()));
    }

    final ZooKeeperElections over(ZooKeeper client, ElectionOptions options) {
        return keep(ZooKeeperElections.over(client, options));
    }

    final ZooKeeperElections over(ZooKeeperSessions sessions, ElectionOptions options) {
        return keep(ZooKeeperElections.over(sessions, options));
    }

    final ZooKeeperSessions sessions(String address) {
        return watcher -> new ZooKeeper(address, (int) SESSION.toMillis(), watcher);
    }

    /** The election "orders", joined over a connection of its own. */
    final Election candidate(String id) {
        return candidate(client(), id);
    }

    final Election candidate(ZooKeeper client, String id) {
        return nominated(over(client, options(id)));
    }

    static Election nominated(ZooKeeperElections elections) {
        Election election = elections.election("orders", PATH);
        election.nominate();
        return election;
    }

    static Recorder listenTo(Election election) {
        var recorder = new Recorder();
        election.addListener(recorder);
        return recorder;
    }

    /** The connection of the one who can do what it likes. */
    final ZooKeeper admin() {
        if (admin == null) {
            admin = keep(server.connect(Duration.ofSeconds(30)));
        }
        return admin;
    }

    final void makePath() {
        make("/elections", CreateMode.PERSISTENT);
        make(PATH, CreateMode.PERSISTENT);
    }

    final String make(String path, CreateMode mode) {
        try {
            return admin().create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
        } catch (KeeperException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    final void deleteAll(String path) {
        try {
            ZKUtil.deleteRecursive(admin(), path);
        } catch (KeeperException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Names of the candidates' nodes, in the order of the queue. */
    final List<String> nodes() {
        return nodes(PATH);
    }

    final List<String> nodes(String path) {
        try {
            return admin().getChildren(path, false).stream()
                    .filter(child -> NodeName.parse(child).isPresent())
                    .sorted(Comparator.comparing(child -> child.substring(child.lastIndexOf('-'))))
                    .toList();
        } catch (KeeperException.NoNodeException none) {
            return List.of();
        } catch (KeeperException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    final Stat stat(String path) {
        try {
            return admin().exists(path, false);
        } catch (KeeperException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Who leads by the record; empty if nobody does. */
    final String holder() {
        try {
            return LeaderRecord.parse(admin().getData(RECORD, false, null))
                    .filter(record -> record.state() == LeaderRecord.State.HELD)
                    .map(LeaderRecord::holder)
                    .orElse("");
        } catch (KeeperException.NoNodeException none) {
            return "";
        } catch (KeeperException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    final int watches() {
        return server.watches();
    }

    static List<String> electionThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("election-"))
                .toList();
    }

    final <T> Future<T> inBackground(Callable<T> task) {
        return background.submit(task);
    }

    final Future<?> inBackground(Runnable task) {
        return background.submit(task);
    }

    static ConditionFactory eventually() {
        return await().atMost(BOUND).pollInterval(Duration.ofMillis(10));
    }

    static void awaitLeader(Election election) {
        eventually().until(election::isLeader);
    }

    static boolean candidateCreate(String operation, String path) {
        return operation.equals("create") && path.contains("/c-");
    }

    /** How many candidates' nodes were asked for, by what was logged since it was last drained. */
    static long candidateCreates(List<String> log) {
        return log.stream()
                .filter(entry -> entry.startsWith("create ") && entry.contains("/c-"))
                .count();
    }
}
