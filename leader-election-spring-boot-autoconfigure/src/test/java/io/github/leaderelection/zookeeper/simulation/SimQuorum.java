package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** What the quorum has agreed upon: the log of transactions and the sessions. */
final class SimQuorum {

    record Entry(SimTree tree, List<SimTransaction.Change> changes, long at) {}

    /** A session as the quorum sees it. */
    static final class Session {
        final long id;
        final int createdAt;
        long timeout;
        int closedAt = -1;
        /** The newest of its connections that has written; older ones can no longer write. */
        int writer;

        private int epoch;

        private Session(long id, long timeout, int createdAt) {
            this.id = id;
            this.timeout = timeout;
            this.createdAt = createdAt;
        }

        boolean isOpen() {
            return closedAt < 0;
        }
    }

    private static final long FIRST_ZXID = 100;
    private static final long FIRST_SESSION = 0x1000;

    private final SimScheduler scheduler;
    private final SimTrace trace;
    private final List<Entry> log = new ArrayList<>();
    private final Map<Long, Session> sessions = new LinkedHashMap<>();
    private final Set<SimConnection> connections = new LinkedHashSet<>();
    private @Nullable String denied;
    private boolean deletesOfOthersDenied;
    private long downUntil;
    private Consumer<SimTransaction> onCommit = transaction -> {};

    SimQuorum(SimScheduler scheduler, SimTrace trace, boolean chroot) {
        this.scheduler = scheduler;
        this.trace = trace;
        log.add(new Entry(SimTree.initial(chroot, scheduler.now()), List.of(), 0));
    }

    /** Sets a listener for the transactions of clients. */
    void onCommit(Consumer<SimTransaction> listener) {
        onCommit = listener;
    }

    int head() {
        return log.size() - 1;
    }

    Entry at(int index) {
        return log.get(index);
    }

    SimTree tree() {
        return log.get(head()).tree();
    }

    static long zxid(int index) {
        return index + FIRST_ZXID;
    }

    /** The position of a zxid in the log. */
    static int index(long zxid) {
        return (int) Math.max(0, zxid - FIRST_ZXID);
    }

    // transactions

    /** A refused write has a position in the log as well, since its answer comes in order. */
    Reply commit(long session, String who, Function<SimTransaction, Reply> write) {
        int index = head() + 1;
        var transaction = new SimTransaction(this, tree(), zxid(index), scheduler.now(), session);
        Reply reply = write.apply(transaction);
        boolean ok = reply.ok();
        if (ok && session != 0) {
            onCommit.accept(transaction);
        }
        append(ok ? transaction.tree() : tree(), ok ? transaction.changes() : List.of());
        if (trace.isOn()) {
            trace.line("quorum", "%d %s by %s: %s", zxid(index), reply.code(), who, transaction.changes());
        }
        return reply;
    }

    Reply commit(long session, String who, Request request) {
        return commit(session, who, transaction -> transaction.apply(request));
    }

    private void append(SimTree tree, List<SimTransaction.Change> changes) {
        log.add(new Entry(tree, changes, scheduler.now()));
        if (!changes.isEmpty()) {
            int index = head();
            for (SimConnection connection : connections) {
                connection.committed(index, changes);
            }
        }
    }

    /** Whether an administrator has denied creating this node. */
    boolean denies(String path) {
        return denied != null && path.startsWith(denied);
    }

    void deny(@Nullable String prefix) {
        denied = prefix;
    }

    /** Whether an administrator has denied clients to delete each other's nodes. */
    boolean deniesDeletesOf(SimTree.@Nullable Node node, long session) {
        return deletesOfOthersDenied && node != null && session != 0 && node.owner() != session;
    }

    void denyDeletesOfOthers(boolean deny) {
        deletesOfOthersDenied = deny;
    }

    boolean pipelined() {
        return scheduler.chance(0.3);
    }

    // servers

    void opened(SimConnection connection) {
        connections.add(connection);
    }

    void closed(SimConnection connection) {
        connections.remove(connection);
    }

    List<SimConnection> connections() {
        return List.copyOf(connections);
    }

    boolean isUp() {
        return scheduler.now() >= downUntil;
    }

    long downUntil() {
        return downUntil;
    }

    /** There is no quorum for a while: nothing is committed, and no session expires. */
    void down(long until) {
        downUntil = until;
        sessions.values().forEach(session -> {
            if (session.isOpen()) {
                abandoned(session);
            }
        });
    }

    // sessions

    Session open(long timeout) {
        append(tree(), List.of());
        Session session = new Session(FIRST_SESSION + sessions.size(), timeout, head());
        sessions.put(session.id, session);
        return session;
    }

    void expire(Session session) {
        if (!session.isOpen()) {
            return;
        }
        commit(session.id, "expiry of session 0x" + Long.toHexString(session.id), transaction -> {
            for (String path : transaction.before().ownedBy(session.id)) {
                transaction.delete(path, -1);
            }
            return Reply.of(Code.OK);
        });
        session.closedAt = head();
        for (SimConnection connection : connections()) {
            if (connection.isOf(session) && !connection.isFrozen()) {
                scheduler.after(
                        scheduler.millis(0, 50), () -> connection.client().lose(connection, scheduler.chance(0.5)));
            }
        }
    }

    /** The server hears from the client. */
    void alive(Session session) {
        session.epoch++;
    }

    /** The server does not hear from the client any more; its last ping may be up to a ping interval old. */
    void abandoned(Session session) {
        int epoch = ++session.epoch;
        long start = Math.max(scheduler.now(), downUntil);
        long timeout = session.timeout * SimScheduler.MILLIS;
        scheduler.at(start + scheduler.between(timeout * 2 / 3, timeout), () -> {
            if (session.epoch == epoch && session.isOpen()) {
                expire(session);
            }
        });
    }
}
