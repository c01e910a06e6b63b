package io.github.leaderelection.soak;

import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/** Reads and deletes the nodes of the election. Its connection bypasses all proxies. */
final class ElectionAdministrator implements AutoCloseable {

    static final String ROOT = "/elections";
    static final String PATH = ROOT + "/orders";
    private static final String HEARTBEATS = ROOT + "/.beats";
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]*)\"");
    private static final Duration SESSION = Duration.ofSeconds(4);

    private final String address;
    private ZooKeeper client;

    ElectionAdministrator(String address) {
        this.address = address;
        this.client = connect(address);
    }

    private static ZooKeeper connect(String address) {
        var config = new ZKClientConfig();
        config.setProperty("jute.maxbuffer", String.valueOf(64 * 1024 * 1024));
        try {
            return new ZooKeeper(address, (int) SESSION.toMillis(), event -> {}, config);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Question<T> {
        T ask(ZooKeeper client) throws KeeperException, InterruptedException;
    }

    /** Asks once; empty if there is no answer. Synchronized, since the client may have to be replaced. */
    private synchronized <T> Optional<T> attempt(Question<T> question) {
        try {
            return Optional.of(question.ask(client));
        } catch (KeeperException.SessionExpiredException expired) {
            closeClient();
            client = connect(address);
            return Optional.empty();
        } catch (KeeperException unanswered) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Creates the nodes that the first candidate needs. */
    boolean prepare() {
        return attempt(client -> {
                    for (String path : List.of(ROOT, PATH, ZooKeeperFence.LOG)) {
                        if (client.exists(path, false) == null) {
                            client.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                        }
                    }
                    return true;
                })
                .orElse(false);
    }

    /** A candidate's node, and the id of its owner. */
    record CandidateNode(String name, String owner) {}

    /** All candidates' nodes in the order of the queue. */
    Optional<List<CandidateNode>> queue() {
        return attempt(client -> {
            List<CandidateNode> queue = new ArrayList<>();
            List<String> nodes = client.getChildren(PATH, false).stream()
                    .filter(ElectionAdministrator::isCandidate)
                    .sorted(Comparator.comparing(ElectionAdministrator::sequence))
                    .toList();
            for (String node : nodes) {
                try {
                    queue.add(new CandidateNode(node, owner(client.getData(PATH + "/" + node, false, null))));
                } catch (KeeperException.NoNodeException gone) {
                    // It has left the queue.
                }
            }
            return queue;
        });
    }

    private static String owner(byte[] data) {
        Matcher matcher = ID.matcher(new String(data, StandardCharsets.UTF_8));
        return matcher.find() ? matcher.group(1) : "?";
    }

    /** The candidate that the record names; without a record the first one in the queue. */
    Optional<CandidateNode> leader() {
        return queue().flatMap(queue -> {
            Optional<String> holder = attempt(
                            client -> LeaderRecord.parse(client.getData(PATH + "/" + LeaderRecord.NODE, false, null)))
                    .flatMap(record -> record.map(LeaderRecord::holder));
            return queue.stream()
                    .filter(node -> holder.isEmpty() || node.name().equals(holder.get()))
                    .findFirst();
        });
    }

    /** Deletes a candidate's node, more often the leader's than others. */
    Optional<CandidateNode> deleteRandomNode(Random random) {
        return victim(random)
                .flatMap(node -> attempt(client -> {
                    client.delete(PATH + "/" + node.name(), -1);
                    return node;
                }));
    }

    /** Deletes the heartbeat of a candidate, more often the leader's than others. */
    Optional<CandidateNode> deleteRandomHeartbeat(Random random) {
        return victim(random)
                .flatMap(node -> attempt(client -> {
                    byte[] data = client.getData(PATH + "/" + node.name(), false, null);
                    client.delete(CandidateData.parse(data).heartbeat(), -1);
                    return node;
                }));
    }

    private Optional<CandidateNode> victim(Random random) {
        List<CandidateNode> queue = queue().orElse(List.of());
        if (queue.isEmpty()) {
            return Optional.empty();
        }
        CandidateNode any = queue.get(random.nextInt(queue.size()));
        return Optional.of(random.nextInt(3) > 0 ? leader().orElse(any) : any);
    }

    /** The heartbeat nodes. */
    Optional<List<String>> heartbeats() {
        return attempt(client ->
                client.exists(HEARTBEATS, false) == null ? List.<String>of() : client.getChildren(HEARTBEATS, false));
    }

    /** All nodes of candidates and heartbeats. */
    Optional<List<String>> leftovers() {
        return queue().flatMap(nodes -> heartbeats().map(heartbeats -> {
            List<String> all = new ArrayList<>(heartbeats);
            nodes.forEach(node -> all.add(node.name() + " of " + node.owner()));
            return all;
        }));
    }

    /** The entries of the log that leaders write. */
    Optional<List<String>> log() {
        return attempt(client -> client.getChildren(ZooKeeperFence.LOG, false));
    }

    static boolean isCandidate(String node) {
        return node.startsWith("c-");
    }

    static String sequence(String node) {
        return node.substring(node.length() - 10);
    }

    private void closeClient() {
        try {
            client.close(2_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void close() {
        closeClient();
    }
}
