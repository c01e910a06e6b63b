package io.github.leaderelection.soak;

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

/** The administrator's look at the election's nodes, and its hand on them. Its connection bypasses all proxies. */
final class Electorate implements AutoCloseable {

    static final String ROOT = "/elections";
    static final String PATH = ROOT + "/orders";
    private static final String BEATS = ROOT + "/.beats";
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]*)\"");
    private static final Duration SESSION = Duration.ofSeconds(4);

    private final String address;
    private ZooKeeper client;

    Electorate(String address) {
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

    /** Asks once; nothing where there is no answer. One at a time, as the client may have to be replaced. */
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

    /** Makes what must be there before the first candidate. */
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
    record Seat(String node, String owner) {}

    /** All candidates' nodes in the order of the queue. */
    Optional<List<Seat>> queue() {
        return attempt(client -> {
            List<Seat> queue = new ArrayList<>();
            List<String> nodes = client.getChildren(PATH, false).stream()
                    .filter(Electorate::isCandidate)
                    .sorted(Comparator.comparing(Electorate::sequence))
                    .toList();
            for (String node : nodes) {
                try {
                    queue.add(new Seat(node, owner(client.getData(PATH + "/" + node, false, null))));
                } catch (KeeperException.NoNodeException gone) {
                    // Not in the queue any more.
                }
            }
            return queue;
        });
    }

    private static String owner(byte[] data) {
        Matcher matcher = ID.matcher(new String(data, StandardCharsets.UTF_8));
        return matcher.find() ? matcher.group(1) : "?";
    }

    /** Deletes somebody's node, the first in the queue more often than others. */
    Optional<Seat> deleteSome(Random random) {
        List<Seat> queue = queue().orElse(List.of());
        if (queue.isEmpty()) {
            return Optional.empty();
        }
        Seat seat = queue.get(random.nextInt(3) > 0 ? 0 : random.nextInt(queue.size()));
        return attempt(client -> {
            client.delete(PATH + "/" + seat.node(), -1);
            return seat;
        });
    }

    /** The heartbeats' nodes. */
    Optional<List<String>> beats() {
        return attempt(
                client -> client.exists(BEATS, false) == null ? List.<String>of() : client.getChildren(BEATS, false));
    }

    /** What is there beside the record. */
    Optional<List<String>> leftovers() {
        return queue().flatMap(seats -> beats().map(beats -> {
            List<String> all = new ArrayList<>(beats);
            seats.forEach(seat -> all.add(seat.node() + " of " + seat.owner()));
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
