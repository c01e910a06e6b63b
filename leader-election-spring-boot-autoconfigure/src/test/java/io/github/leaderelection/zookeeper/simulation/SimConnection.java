package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client, together with its server. The server has its own position in the log, which only moves
 * forward. Answers and events reach the client in the order in which the server produced them.
 */
final class SimConnection {

    /** The server's relation to the quorum. */
    enum Server {
        HEALTHY,
        /** A follower cut off from the quorum: it answers reads, but no sync. */
        CUT_OFF,
        /** A leader that does not know yet that it was deposed: it answers reads and sync. */
        DEPOSED
    }

    final int number;
    private final SimClient client;
    private final SimQuorum.Session session;
    private final SimScheduler scheduler;
    private final SimQuorum quorum;
    private final SimLatency latency;
    private final Deque<SimPacket> requests = new ArrayDeque<>();
    private final Set<String> dataWatches = new HashSet<>();
    private final Set<String> childWatches = new HashSet<>();
    private final Set<String> persistentWatches = new HashSet<>();
    private Server server = Server.HEALTHY;
    private boolean losesForwarded;
    /** Whether it applies nothing before it has answered the first read of a packet with several. */
    private boolean holdsBack;

    private boolean open = true;
    private boolean inboundLost;
    private boolean outboundLost;
    private int seen;
    private long extra;
    private long extraCommit;
    private long lastArrival;
    private long lastCommit;
    private long lastApply;
    private long lastDelivery;

    SimConnection(SimClient client, SimQuorum.Session session, int number, int seen) {
        this.client = client;
        this.session = session;
        this.number = number;
        this.seen = seen;
        this.scheduler = client.scheduler();
        this.quorum = client.quorum();
        this.latency = client.latency();
        quorum.opened(this);
    }

    SimClient client() {
        return client;
    }

    boolean isOf(SimQuorum.Session other) {
        return session == other;
    }

    boolean isHealthy() {
        return open && server == Server.HEALTHY && !outboundLost;
    }

    boolean isFrozen() {
        return server != Server.HEALTHY;
    }

    boolean isBlackHoled() {
        return outboundLost;
    }

    // trouble

    /** From now on the server learns nothing new from the quorum. */
    void freeze(Server how) {
        server = how;
        losesForwarded = scheduler.chance(0.4);
    }

    /** Nothing passes any more, and neither side notices. */
    void blackHole() {
        inboundLost = true;
        outboundLost = true;
    }

    /** Requests still arrive, but no answers come back. */
    void loseAnswers() {
        outboundLost = true;
    }

    /** Closes the connection; requests and answers in flight arrive or are lost. */
    void close(boolean requestsLost, boolean answersLost) {
        open = false;
        inboundLost |= requestsLost;
        outboundLost |= answersLost;
        quorum.closed(this);
    }

    /** Delays the writes that this server forwards to the quorum. */
    void delayCommits(long delay) {
        lastCommit = Math.max(lastCommit, scheduler.now() + delay);
    }

    /** Delays each write that this server forwards to the quorum from now on. */
    void slowCommits(long delay) {
        extraCommit = delay;
    }

    /** Delays the answers and events of this server. */
    void delayAnswers(long delay) {
        lastDelivery = Math.max(lastDelivery, scheduler.now() + delay);
    }

    /** Delays all further requests. */
    void slowDown(long delay) {
        extra = delay;
    }

    /** The server learns nothing new until it has begun to answer a packet with several reads. */
    void holdBack() {
        holdsBack = true;
    }

    void endDelays() {
        extra = 0;
        extraCommit = 0;
        holdsBack = false;
        lastApply = 0;
    }

    /** Whether requests or answers are still delayed. */
    boolean isDelayed() {
        return Math.max(lastArrival, Math.max(lastCommit, lastDelivery)) > scheduler.now() + 20 * SimScheduler.MILLIS;
    }

    // from the client

    void transmit(SimPacket packet) {
        lastArrival = Math.max(lastArrival, scheduler.now() + latency.network() + extra);
        scheduler.at(lastArrival, () -> receive(packet));
    }

    private void receive(SimPacket packet) {
        if (inboundLost) {
            return;
        }
        requests.add(packet);
        if (packet.write != null && server == Server.HEALTHY) {
            lastCommit = Math.max(lastCommit, scheduler.now() + latency.commit() + extraCommit);
            scheduler.at(lastCommit, () -> commit(packet));
        }
        pump();
    }

    /** A write in flight may be committed after its connection was lost, until a newer connection has written. */
    private void commit(SimPacket packet) {
        if (!quorum.isUp()) {
            scheduler.at(quorum.downUntil() + latency.commit(), () -> commit(packet));
            return;
        }
        boolean lost = isFrozen() && losesForwarded || number < session.writer || !session.isOpen();
        if (lost || packet.write == null) {
            return;
        }
        session.writer = number;
        packet.reply = quorum.commit(session.id, client.name(), packet.write);
        packet.index = quorum.head();
        if (!isFrozen()) {
            pump();
        }
    }

    /** Answers in the order of the requests: a request after a write waits until the write is committed. */
    private void pump() {
        while (open && !requests.isEmpty()) {
            SimPacket packet = requests.peek();
            if (packet.write != null) {
                if (packet.reply == null || isFrozen()) {
                    return;
                }
                advanceTo(packet.index);
            } else {
                packet.reply = answer(packet.request);
                if (packet.reply == null) {
                    return;
                }
                packet.index = seen;
            }
            requests.poll();
            deliver(() -> client.answered(this, packet));
        }
    }

    private @Nullable Reply answer(Request request) {
        if (request instanceof Request.Check) {
            // Outside a transaction it stands for sync, see SimMutations.
            if (server == Server.CUT_OFF) {
                return null;
            }
            if (server == Server.HEALTHY) {
                advanceTo(quorum.head());
            }
            return Reply.of(Code.OK);
        }
        if (!isFrozen()) {
            catchUp();
        }
        if (request instanceof Request.Reads reads) {
            return Reply.parts(reads.parts().stream().map(this::answerNext).toList());
        }
        return answerNow(request);
    }

    /** The server may move on between the reads of one packet. */
    private Reply answerNext(Request request) {
        Reply reply = answerNow(request);
        holdsBack = false;
        if (!isFrozen() && seen < quorum.head()) {
            catchUp();
        }
        return reply;
    }

    /** The answer at the server's position in the log. */
    private Reply answerNow(Request request) {
        SimTree tree = quorum.at(seen).tree();
        String path = request.path();
        SimTree.@Nullable Node node = tree.get(path);
        if (request instanceof Request.AddWatch) {
            persistentWatches.add(path);
            return Reply.of(Code.OK);
        }
        if (request instanceof Request.RemoveWatches remove) {
            boolean removed = remove.persistent() ? persistentWatches.remove(path) : dataWatches.remove(path);
            return Reply.of(removed ? Code.OK : Code.NOWATCHER);
        }
        if (node == null) {
            return Reply.of(Code.NONODE);
        }
        if (request instanceof Request.Exists exists && exists.watch()) {
            dataWatches.add(path);
        }
        if (request instanceof Request.Get get) {
            if (get.watch()) {
                dataWatches.add(path);
            }
            return Reply.data(node.data(), node.stat());
        }
        if (request instanceof Request.Children children) {
            if (children.watch()) {
                childWatches.add(path);
            }
            return Reply.children(tree.children(path));
        }
        return Reply.stat(node.stat());
    }

    // from the quorum

    /** Moves on in the log, usually to its end. */
    private void catchUp() {
        if (holdsBack) {
            return;
        }
        advanceTo(latency.lags() ? (int) scheduler.between((long) seen, quorum.head()) : quorum.head());
    }

    /** Called with each commit; the server learns of it after a while. */
    void committed(int index, List<SimTransaction.Change> changes) {
        if (server == Server.HEALTHY && isWatching(changes)) {
            lastApply = Math.max(lastApply, scheduler.now() + latency.apply());
            scheduler.at(lastApply, () -> {
                if (open && server == Server.HEALTHY && !holdsBack) {
                    advanceTo(index);
                }
            });
        }
    }

    private boolean isWatching(List<SimTransaction.Change> changes) {
        for (SimTransaction.Change change : changes) {
            String path = change.path();
            if (dataWatches.contains(path) || childWatches.contains(path) || persistentWatches.contains(path)) {
                return true;
            }
        }
        return false;
    }

    private void advanceTo(int index) {
        while (seen < index) {
            seen++;
            quorum.at(seen).changes().forEach(this::trigger);
        }
    }

    private void trigger(SimTransaction.Change change) {
        String path = change.path();
        EventType type = change.type();
        boolean watched = persistentWatches.contains(path);
        if (type == EventType.NodeChildrenChanged) {
            watched |= childWatches.remove(path);
        } else {
            watched |= dataWatches.remove(path);
            if (type == EventType.NodeDeleted) {
                watched |= childWatches.remove(path);
            }
        }
        if (watched) {
            notifyClient(path, type);
        }
    }

    private void notifyClient(String path, EventType type) {
        deliver(() -> client.watchTriggered(this, path, type));
    }

    /** Sets a client's watches again on reconnect; those that have missed a change trigger at once. */
    void setWatches(long lastZxid, Set<String> data, Set<String> children, Set<String> persistent) {
        SimTree tree = quorum.at(seen).tree();
        for (String path : sorted(data)) {
            SimTree.@Nullable Node node = tree.get(path);
            if (node == null) {
                notifyClient(path, EventType.NodeDeleted);
            } else if (node.mzxid() > lastZxid) {
                notifyClient(path, EventType.NodeDataChanged);
            } else {
                dataWatches.add(path);
            }
        }
        for (String path : sorted(children)) {
            SimTree.@Nullable Node node = tree.get(path);
            if (node == null) {
                notifyClient(path, EventType.NodeDeleted);
            } else if (node.pzxid() > lastZxid) {
                notifyClient(path, EventType.NodeChildrenChanged);
            } else {
                childWatches.add(path);
            }
        }
        persistentWatches.addAll(persistent);
    }

    private static List<String> sorted(Set<String> paths) {
        return paths.stream().sorted().toList();
    }

    private void deliver(Runnable delivery) {
        lastDelivery = Math.max(lastDelivery, scheduler.now() + latency.network());
        scheduler.at(
                lastDelivery,
                () -> client.host().whenAwake(() -> {
                    if (!outboundLost) {
                        delivery.run();
                    }
                }));
    }
}
