package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * A client with one session that behaves like ZooKeeper's own: a lost connection is reported to all pending requests and
 * then to the watcher, watches are set again on reconnect, and after some time without a connection the client gives its
 * session up, although the server may not have expired it.
 */
final class SimClient {

    private final SimHost host;
    private final Deque<SimPacket> unanswered = new ArrayDeque<>();
    private final Deque<SimPacket> unsent = new ArrayDeque<>();
    private final Set<String> dataWatches = new HashSet<>();
    private final Set<String> childWatches = new HashSet<>();
    private final Set<String> persistentWatches = new HashSet<>();
    private final boolean givesUp;
    private final boolean keepsWatches;
    private SimQuorum.@Nullable Session session;
    private @Nullable SimConnection connection;
    private boolean over;
    private boolean healthy;
    private int connections;
    private long timeout;
    private long lastZxid;
    private long lostAt;
    private long firstCommitDelay;
    private boolean holdsBackFirst;

    SimClient(SimHost host, boolean givesUp, boolean keepsWatches) {
        this.host = host;
        this.keepsWatches = keepsWatches;
        this.givesUp = givesUp;
        this.lostAt = host.scheduler().now();
    }

    SimHost host() {
        return host;
    }

    String name() {
        return host.name();
    }

    SimScheduler scheduler() {
        return host.scheduler();
    }

    SimQuorum quorum() {
        return host.quorum();
    }

    SimLatency latency() {
        return host.latency();
    }

    @Nullable
    SimConnection connection() {
        return connection;
    }

    SimQuorum.@Nullable Session session() {
        return session;
    }

    void start() {
        scheduler().after(latency().network(), () -> host.whenAwake(this::connect));
    }

    /** Delays the first commits on the next connection. */
    void delayFirstCommits(long delay) {
        firstCommitDelay = delay;
    }

    /** The server of the next connection is behind, and catches up while it answers. */
    void holdBackFirst() {
        holdsBackFirst = true;
    }

    /** The next connection is as fast and as far as any other. */
    void endDelays() {
        firstCommitDelay = 0;
        holdsBackFirst = false;
    }

    // requests

    void send(SimPacket packet) {
        if (over) {
            host.post(() -> packet.answer.accept(Reply.of(Code.SESSIONEXPIRED)));
        } else if (connection == null) {
            unsent.add(packet);
        } else {
            unanswered.add(packet);
            connection.transmit(packet);
        }
    }

    void answered(SimConnection by, SimPacket packet) {
        Reply reply = packet.reply;
        if (by != connection || reply == null || unanswered.peek() != packet) {
            return;
        }
        unanswered.poll();
        lastZxid = Math.max(lastZxid, SimQuorum.zxid(packet.index));
        if (reply.ok()) {
            registerWatches(packet.request);
        }
        host.post(() -> packet.answer.accept(reply));
    }

    private void registerWatches(Request request) {
        String path = request.path();
        if (request instanceof Request.Get get && get.watch()
                || request instanceof Request.Exists exists && exists.watch()) {
            dataWatches.add(path);
        } else if (request instanceof Request.Children children && children.watch()) {
            childWatches.add(path);
        } else if (request instanceof Request.AddWatch) {
            persistentWatches.add(path);
        } else if (request instanceof Request.RemoveWatches remove) {
            if (remove.persistent() && persistentWatches.remove(path)) {
                host.post(() -> host.engine().watchTriggered(path, EventType.PersistentWatchRemoved));
            } else if (!remove.persistent() && dataWatches.remove(path)) {
                host.post(() -> host.engine().watchTriggered(path, EventType.DataWatchRemoved));
            }
        }
    }

    void watchTriggered(SimConnection by, String path, EventType type) {
        if (by != connection) {
            return;
        }
        boolean known = persistentWatches.contains(path);
        if (type == EventType.NodeChildrenChanged) {
            known |= childWatches.remove(path);
        } else {
            known |= dataWatches.remove(path);
            if (type == EventType.NodeDeleted) {
                known |= childWatches.remove(path);
            }
        }
        if (known) {
            host.postEvent(() -> host.engine().watchTriggered(path, type));
        }
    }

    // the connection

    private void connect() {
        if (over || connection != null) {
            return;
        }
        boolean patient = session == null || !givesUp || scheduler().now() - lostAt < timeout * 4 / 3 * 1_000_000;
        if (!patient) {
            host.trace("client gives up its session");
            expire();
        } else if (!quorum().isUp() || !host.isReachable()) {
            failUnsent(Code.CONNECTIONLOSS);
            later();
        } else if (session == null) {
            timeout = host.negotiate();
            session = quorum().open(timeout);
            connected(session, quorum().head(), SimConnection.Server.HEALTHY);
        } else {
            reconnect(session);
        }
    }

    private void reconnect(SimQuorum.Session known) {
        int oldest = Math.max(SimQuorum.index(lastZxid), host.oldestAcceptable());
        int newest = quorum().head();
        if (host.meetsStaleServer()) {
            // That server does not know whether the session has ended.
            int believes = known.isOpen() ? newest : known.closedAt - 1;
            if (believes >= oldest) {
                SimConnection.Server how =
                        scheduler().chance(0.5) ? SimConnection.Server.DEPOSED : SimConnection.Server.CUT_OFF;
                connected(known, (int) scheduler().between((long) oldest, believes), how);
                SimConnection stale = connection;
                scheduler().after(scheduler().millis(200, 6_000), () -> lose(stale, true));
                return;
            }
        }
        if (!known.isOpen()) {
            expire();
        } else {
            timeout = host.negotiate();
            known.timeout = timeout;
            boolean lags = holdsBackFirst || latency().lags();
            int place = lags ? (int) scheduler().between((long) oldest, holdsBackFirst ? oldest : newest) : newest;
            connected(known, place, SimConnection.Server.HEALTHY);
        }
    }

    private void connected(SimQuorum.Session on, int place, SimConnection.Server server) {
        SimConnection made = new SimConnection(this, on, ++connections, Math.max(place, SimQuorum.index(lastZxid)));
        if (server != SimConnection.Server.HEALTHY) {
            made.freeze(server);
        }
        made.delayCommits(firstCommitDelay);
        firstCommitDelay = 0;
        if (holdsBackFirst) {
            holdsBackFirst = false;
            made.holdBack();
        }
        connection = made;
        host.connected();
        host.trace(
                "connected to a server that is %s, session 0x%x, at %d of %d",
                server, on.id, SimQuorum.zxid(place), SimQuorum.zxid(quorum().head()));
        long negotiated = timeout;
        host.post(() -> host.engine().connected(on.id, negotiated));
        if (keepsWatches) {
            made.setWatches(lastZxid, dataWatches, childWatches, persistentWatches);
        }
        for (SimPacket packet = unsent.poll(); packet != null; packet = unsent.poll()) {
            send(packet);
        }
        updateHealth();
    }

    private void later() {
        scheduler().after(latency().reconnect(), () -> host.whenAwake(this::connect));
    }

    /** The connection is lost; the client notices as soon as its process runs. */
    void lose(@Nullable SimConnection broken, boolean abruptly) {
        if (broken == null || broken != connection) {
            return;
        }
        broken.close(scheduler().chance(0.5), abruptly);
        host.trace("connection lost");
        abandoned();
        host.whenAwake(() -> {
            if (broken == connection) {
                connection = null;
                lostAt = scheduler().now();
                for (SimPacket packet = unanswered.poll(); packet != null; packet = unanswered.poll()) {
                    SimPacket lost = packet;
                    host.post(() -> lost.answer.accept(Reply.of(Code.CONNECTIONLOSS)));
                }
                host.post(() -> host.engine().disconnected());
                later();
            }
        });
    }

    private void expire() {
        end();
        host.post(() -> {
            host.engine().expired();
            host.openSession();
        });
        failUnsent(Code.SESSIONEXPIRED);
    }

    private void failUnsent(Code code) {
        for (SimPacket packet = unsent.poll(); packet != null; packet = unsent.poll()) {
            SimPacket failed = packet;
            host.post(() -> failed.answer.accept(Reply.of(code)));
        }
    }

    /** The process has ended. */
    void end() {
        over = true;
        if (connection != null) {
            connection.close(scheduler().chance(0.5), true);
            connection = null;
        }
        abandoned();
    }

    private void abandoned() {
        if (healthy && session != null) {
            healthy = false;
            quorum().abandoned(session);
        }
    }

    /** Tells the quorum whether it still hears from this client, on which the life of the session depends. */
    void updateHealth() {
        boolean now = !over && connection != null && connection.isHealthy() && !host.isAsleep();
        if (session == null || !session.isOpen()) {
            healthy = false;
        } else if (now != healthy) {
            healthy = now;
            if (now) {
                quorum().alive(session);
            } else {
                quorum().abandoned(session);
            }
        } else if (!now && over) {
            quorum().abandoned(session);
        }
    }
}
