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
 * One connection of a client, with what its server does for it. The server is at its own place in the log, which only
 * moves forward; answers and events reach the client in the order in which they were made.
 */
final class SimConnection {

    /** Why nothing new comes from the majority, and what happens to a sync meanwhile. */
    enum Server {
        SOUND,
        /** A follower cut off from the majority: it answers what it can by itself. */
        CUT_OFF,
        /** A leader that does not know yet that it was deposed: it answers a sync, too. */
        DEPOSED
    }

    final int number;
    private final SimClient client;
    private final SimQuorum.Session session;
    private final SimScheduler scheduler;
    private final SimQuorum quorum;
    private final SimWeather weather;
    private final Deque<SimPacket> nodes = new ArrayDeque<>();
    private final Set<String> dataWatches = new HashSet<>();
    private final Set<String> childWatches = new HashSet<>();
    private final Set<String> persistentWatches = new HashSet<>();
    private Server server = Server.SOUND;
    private boolean losesForwarded;
    private boolean open = true;
    private boolean inboundLost;
    private boolean outboundLost;
    private int seen;
    private long extra;
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
        this.weather = client.weather();
        quorum.opened(this);
    }

    SimClient client() {
        return client;
    }

    boolean isOf(SimQuorum.Session other) {
        return session == other;
    }

    boolean isSound() {
        return open && server == Server.SOUND && !outboundLost;
    }

    boolean isFrozen() {
        return server != Server.SOUND;
    }

    boolean isMute() {
        return outboundLost;
    }

    // trouble

    /** From now on the server hears nothing new from the majority. */
    void freeze(Server how) {
        server = how;
        losesForwarded = scheduler.chance(0.4);
    }

    /** Nothing gets through any more, and neither side knows. */
    void goMute() {
        inboundLost = true;
        outboundLost = true;
    }

    /** The connection is gone; requests and answers on their way may still arrive, or not. */
    void close(boolean requestsLost, boolean answersLost) {
        open = false;
        inboundLost |= requestsLost;
        outboundLost |= answersLost;
        quorum.closed(this);
    }

    /** The majority takes its time with what this server sends it. */
    void delayCommits(long delay) {
        lastCommit = Math.max(lastCommit, scheduler.now() + delay);
    }

    /** The network takes its time with what this server tells its client. */
    void delayAnswers(long delay) {
        lastDelivery = Math.max(lastDelivery, scheduler.now() + delay);
    }

    /** Every request takes longer from now on. */
    void slowDown(long by) {
        extra = by;
    }

    // from the client

    void transmit(SimPacket packet) {
        lastArrival = Math.max(lastArrival, scheduler.now() + weather.network() + extra);
        scheduler.at(lastArrival, () -> receive(packet));
    }

    private void receive(SimPacket packet) {
        if (inboundLost) {
            return;
        }
        nodes.add(packet);
        if (packet.write != null && server == Server.SOUND) {
            lastCommit = Math.max(lastCommit, scheduler.now() + weather.commit());
            scheduler.at(lastCommit, () -> commit(packet));
        }
        pump();
    }

    /** A write that was on its way when its connection broke may still be committed, until a newer one was used. */
    private void commit(SimPacket packet) {
        if (!quorum.isUp()) {
            scheduler.at(quorum.downUntil() + weather.commit(), () -> commit(packet));
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

    /** Answers in the order of the requests: what comes after a write waits until that is committed. */
    private void pump() {
        while (open && !nodes.isEmpty()) {
            SimPacket packet = nodes.peek();
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
            nodes.poll();
            deliver(() -> client.answered(this, packet));
        }
    }

    private @Nullable Reply answer(Request request) {
        if (request instanceof Request.Check) {
            // Outside a transaction it stands for sync, see SimMutations.
            if (server == Server.CUT_OFF) {
                return null;
            }
            if (server == Server.SOUND) {
                advanceTo(quorum.head());
            }
            return Reply.of(Code.OK);
        }
        if (!isFrozen()) {
            wander();
        }
        if (request instanceof Request.Reads reads) {
            return Reply.parts(reads.parts().stream().map(this::answerNow).toList());
        }
        return answerNow(request);
    }

    /** What this server answers, as far as it has got. */
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
            return Reply.children(tree.children(path), node.stat());
        }
        if (request instanceof Request.Names) {
            return Reply.names(tree.children(path));
        }
        return Reply.stat(node.stat());
    }

    // from the majority

    /** Catches up with the majority, more or less. */
    private void wander() {
        advanceTo(weather.lags() ? (int) scheduler.between((long) seen, quorum.head()) : quorum.head());
    }

    /** Something was committed; this server learns of it sooner or later. */
    void committed(int index, List<SimTransaction.Change> changes) {
        if (server == Server.SOUND && isWatching(changes)) {
            lastApply = Math.max(lastApply, scheduler.now() + weather.apply());
            scheduler.at(lastApply, () -> {
                if (open && server == Server.SOUND) {
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
            quorum.at(seen).changes().forEach(this::fire);
        }
    }

    private void fire(SimTransaction.Change change) {
        String path = change.path();
        EventType type = change.type();
        boolean told = persistentWatches.contains(path);
        if (type == EventType.NodeChildrenChanged) {
            told |= childWatches.remove(path);
        } else {
            told |= dataWatches.remove(path);
            if (type == EventType.NodeDeleted) {
                told |= childWatches.remove(path);
            }
        }
        if (told) {
            tell(path, type);
        }
    }

    private void tell(String path, EventType type) {
        deliver(() -> client.told(this, path, type));
    }

    /** What a client does on reconnect: its watches are set again, and fire at once if they have missed something. */
    void setWatches(long lastZxid, Set<String> data, Set<String> children, Set<String> persistent) {
        SimTree tree = quorum.at(seen).tree();
        for (String path : sorted(data)) {
            SimTree.@Nullable Node node = tree.get(path);
            if (node == null) {
                tell(path, EventType.NodeDeleted);
            } else if (node.mzxid() > lastZxid) {
                tell(path, EventType.NodeDataChanged);
            } else {
                dataWatches.add(path);
            }
        }
        for (String path : sorted(children)) {
            SimTree.@Nullable Node node = tree.get(path);
            if (node == null) {
                tell(path, EventType.NodeDeleted);
            } else if (node.pzxid() > lastZxid) {
                tell(path, EventType.NodeChildrenChanged);
            } else {
                childWatches.add(path);
            }
        }
        persistentWatches.addAll(persistent);
    }

    private static List<String> sorted(Set<String> paths) {
        return paths.stream().sorted().toList();
    }

    private void deliver(Runnable news) {
        lastDelivery = Math.max(lastDelivery, scheduler.now() + weather.network());
        scheduler.at(
                lastDelivery,
                () -> client.host().whenAwake(() -> {
                    if (!outboundLost) {
                        news.run();
                    }
                }));
    }
}
