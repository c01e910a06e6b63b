package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/** A transaction: all of its writes are carried out, or none. */
final class SimTransaction {

    private static final int ANY_VERSION = -1;

    /** A change that triggers watches. */
    record Change(String path, EventType type) {}

    private final SimTree before;
    private final Map<String, SimTree.Node> nodes;
    private final List<Change> changes = new ArrayList<>();
    private final long zxid;
    private final long now;
    private final long session;
    private final SimQuorum quorum;

    SimTransaction(SimQuorum quorum, SimTree before, long zxid, long now, long session) {
        this.quorum = quorum;
        this.before = before;
        this.nodes = before.copy();
        this.zxid = zxid;
        this.now = now;
        this.session = session;
    }

    SimTree tree() {
        return SimTree.of(nodes);
    }

    SimTree before() {
        return before;
    }

    List<Change> changes() {
        return changes;
    }

    /** The session that writes. */
    long session() {
        return session;
    }

    SimTree.@Nullable Node after(String path) {
        return nodes.get(path);
    }

    /** When it is carried out, in simulated time. */
    long at() {
        return now;
    }

    Reply apply(Request request) {
        if (request instanceof Request.Multi multi) {
            return multi(multi.parts());
        } else if (request instanceof Request.Create create) {
            return create(create);
        } else if (request instanceof Request.Delete delete) {
            return quorum.deniesDeletesOf(nodes.get(delete.path()), session)
                    ? Reply.of(Code.NOAUTH)
                    : delete(delete.path(), delete.version());
        } else if (request instanceof Request.Set set) {
            return set(set);
        } else if (request instanceof Request.Check check) {
            return check(check.path(), check.version());
        }
        throw new IllegalArgumentException(request.toString());
    }

    /** Its reply has the Stat of the last node that it wrote. */
    private Reply multi(List<Request> parts) {
        Reply result = Reply.of(Code.OK);
        for (Request part : parts) {
            Reply reply = apply(part);
            if (!reply.ok()) {
                return Reply.of(reply.code());
            }
            if (part instanceof Request.Set || part instanceof Request.Create) {
                result = Reply.stat(reply.stat());
            }
        }
        return result;
    }

    Reply check(String path, int version) {
        SimTree.@Nullable Node node = nodes.get(path);
        if (node == null) {
            return Reply.of(Code.NONODE);
        }
        return Reply.of(matches(node, version) ? Code.OK : Code.BADVERSION);
    }

    private static boolean matches(SimTree.Node node, int version) {
        return version == ANY_VERSION || version == node.version();
    }

    private Reply create(Request.Create create) {
        String parentPath = Paths.parent(create.path());
        SimTree.@Nullable Node parent = nodes.get(parentPath);
        if (parent == null) {
            return Reply.of(Code.NONODE);
        }
        if (parent.owner() != 0) {
            return Reply.of(Code.NOCHILDRENFOREPHEMERALS);
        }
        if (quorum.denies(create.path())) {
            return Reply.of(Code.NOAUTH);
        }
        String path = create.mode().isSequential() ? create.path() + sequence(parent.creates()) : create.path();
        if (nodes.containsKey(path)) {
            return Reply.of(Code.NODEEXISTS);
        }
        return add(path, create.data(), create.mode().isEphemeral() ? session : 0);
    }

    private Reply add(String path, byte[] data, long owner) {
        long millis = now / SimScheduler.MILLIS;
        SimTree.Node node = new SimTree.Node(data, zxid, zxid, zxid, millis, millis, 0, 0, 0, owner);
        nodes.put(path, node);
        String parentPath = Paths.parent(path);
        nodes.computeIfPresent(parentPath, (name, parent) -> parent.withChild(zxid));
        changes.add(new Change(path, EventType.NodeCreated));
        changes.add(new Change(parentPath, EventType.NodeChildrenChanged));
        return Reply.created(path, node.stat());
    }

    /** Creates a node for another session, or a persistent one for none. */
    Reply createAs(long owner, String path) {
        boolean possible = nodes.containsKey(Paths.parent(path)) && !nodes.containsKey(path);
        return possible ? add(path, new byte[0], owner) : Reply.of(Code.NONODE);
    }

    /** At its maximum the counter sticks, or becomes negative if creates are pipelined. */
    private String sequence(int creates) {
        if (creates == Integer.MAX_VALUE && quorum.pipelined()) {
            return String.format("%010d", Integer.MIN_VALUE);
        }
        return (creates < 1_000 ? "0000000" : "")
                + (creates < 1_000 ? padded(creates) : String.format("%010d", creates));
    }

    private static String padded(int number) {
        return number < 10 ? "00" + number : number < 100 ? "0" + number : "" + number;
    }

    Reply delete(String path, int version) {
        SimTree.@Nullable Node node = nodes.get(path);
        if (node == null) {
            return Reply.of(Code.NONODE);
        }
        if (!matches(node, version)) {
            return Reply.of(Code.BADVERSION);
        }
        if (node.children() > 0) {
            return Reply.of(Code.NOTEMPTY);
        }
        nodes.remove(path);
        String parentPath = Paths.parent(path);
        SimTree.@Nullable Node parent = nodes.get(parentPath);
        if (parent != null) {
            nodes.put(parentPath, parent.withoutChild(zxid));
        }
        changes.add(new Change(path, EventType.NodeDeleted));
        changes.add(new Change(parentPath, EventType.NodeChildrenChanged));
        return Reply.of(Code.OK);
    }

    private Reply set(Request.Set set) {
        SimTree.@Nullable Node node = nodes.get(set.path());
        if (node == null) {
            return Reply.of(Code.NONODE);
        }
        if (!matches(node, set.version())) {
            return Reply.of(Code.BADVERSION);
        }
        SimTree.Node written = node.written(set.data(), zxid, now / SimScheduler.MILLIS);
        nodes.put(set.path(), written);
        changes.add(new Change(set.path(), EventType.NodeDataChanged));
        return Reply.stat(written.stat());
    }

    /** Changes a node outside the rules of ZooKeeper. */
    void put(String path, SimTree.Node node) {
        nodes.put(path, node);
    }
}
