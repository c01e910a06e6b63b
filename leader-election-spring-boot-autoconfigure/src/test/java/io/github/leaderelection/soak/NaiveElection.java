package io.github.leaderelection.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.AsyncCallback.Children2Callback;
import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The election as it is often written: the lowest node leads, the others watch their predecessor, and a flag is cleared
 * when the client reports that it is disconnected or expired. Without a lease two candidates can lead at once, which the
 * checker has to see.
 */
final class NaiveElection implements SoakElection, Watcher {

    private final String id;
    private final String address;
    private final int session;
    private final HistoryWriter history;
    private volatile boolean leads;
    private volatile @Nullable Term lastTerm;
    private volatile @Nullable ZooKeeper client;
    private @Nullable String node;
    private long token;
    private long terms;

    NaiveElection(String id, String address, Duration session, HistoryWriter history) {
        this.id = id;
        this.address = address;
        this.session = (int) session.toMillis();
        this.history = history;
        connect();
    }

    private synchronized void connect() {
        try {
            node = null;
            client = new ZooKeeper(address, session, this);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public synchronized void process(WatchedEvent event) {
        switch (event.getState()) {
            case SyncConnected -> {
                if (node == null) {
                    join();
                } else {
                    list();
                }
            }
            case Expired -> {
                demote("SESSION_EXPIRED");
                connect();
            }
            default -> demote("CONNECTION_LOST");
        }
    }

    private void join() {
        byte[] data = "{\"id\":\"%s\"}".formatted(id).getBytes(StandardCharsets.UTF_8);
        Create2Callback created = (code, path, context, name, stat) -> {
            if (code == Code.OK.intValue()) {
                joined(name, stat);
            }
        };
        client.create(
                ElectionAdministrator.PATH + "/c-naive-",
                data,
                ZooDefs.Ids.OPEN_ACL_UNSAFE,
                CreateMode.EPHEMERAL_SEQUENTIAL,
                created,
                null);
    }

    private synchronized void joined(String name, Stat stat) {
        node = name.substring(ElectionAdministrator.PATH.length() + 1);
        token = stat.getCzxid();
        list();
    }

    private void list() {
        Children2Callback listed = (code, path, context, children, stat) -> {
            if (code == Code.OK.intValue()) {
                evaluate(children);
            }
        };
        client.getChildren(ElectionAdministrator.PATH, false, listed, null);
    }

    private synchronized void evaluate(List<String> children) {
        if (node == null) {
            return;
        }
        List<String> queue = children.stream()
                .filter(ElectionAdministrator::isCandidate)
                .sorted(Comparator.comparing(ElectionAdministrator::sequence))
                .toList();
        int place = queue.indexOf(node);
        if (place < 0) {
            demote("NODE_LOST");
            join();
        } else if (place == 0) {
            promote();
        } else {
            client.getData(
                    ElectionAdministrator.PATH + "/" + queue.get(place - 1),
                    this,
                    (code, path, context, data, stat) -> {
                        if (code == Code.NONODE.intValue()) {
                            list();
                        }
                    },
                    null);
        }
    }

    private void promote() {
        if (!leads) {
            terms++;
            lastTerm = new Term(terms, token, Op.check(ElectionAdministrator.PATH + "/" + node, -1), () -> leads);
            leads = true;
            history.granted(terms, token);
        }
    }

    private void demote(String reason) {
        if (leads) {
            leads = false;
            history.revoked(terms, token, reason, false);
        }
    }

    @Override
    public boolean isLeader() {
        return leads;
    }

    @Override
    public Optional<Term> term() {
        return leads ? lastTerm() : Optional.empty();
    }

    @Override
    public Optional<Term> lastTerm() {
        return Optional.ofNullable(lastTerm);
    }

    @Override
    public @Nullable ZooKeeper client() {
        return client;
    }

    @Override
    public void stepDown() {
        // Not supported.
    }

    /** It cannot choose who is next. */
    @Override
    public void handOver(String candidateId) {
        stepDown();
    }

    @Override
    public void withdrawAndReturn() {
        // Not supported.
    }

    @Override
    public void close() {
        try {
            client.close(2_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
