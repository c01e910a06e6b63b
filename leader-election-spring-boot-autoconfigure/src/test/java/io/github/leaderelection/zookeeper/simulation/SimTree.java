package io.github.leaderelection.zookeeper.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** ZooKeeper's nodes after a transaction; immutable, so that each server can have its own position in the log. */
final class SimTree {

    /** @param creates how many children were ever created; ZooKeeper derives cversion and the sequence from it */
    record Node(
            byte[] data,
            long czxid,
            long mzxid,
            long pzxid,
            long ctime,
            long mtime,
            int version,
            int creates,
            int children,
            long owner) {

        Stat stat() {
            int cversion = creates * 2 - children;
            return new Stat(czxid, mzxid, ctime, mtime, version, cversion, 0, owner, data.length, children, pzxid);
        }

        Node written(byte[] newData, long zxid, long millis) {
            return new Node(newData, czxid, zxid, pzxid, ctime, millis, version + 1, creates, children, owner);
        }

        /** The counter sticks at its maximum. */
        Node withChild(long zxid) {
            int created = creates == Integer.MAX_VALUE ? creates : creates + 1;
            return new Node(data, czxid, mzxid, zxid, ctime, mtime, version, created, children + 1, owner);
        }

        Node withoutChild(long zxid) {
            return new Node(data, czxid, mzxid, zxid, ctime, mtime, version, creates, children - 1, owner);
        }

        Node created(int number) {
            return new Node(data, czxid, mzxid, pzxid, ctime, mtime, version, number, children, owner);
        }
    }

    private final Map<String, Node> nodes;

    private SimTree(Map<String, Node> nodes) {
        this.nodes = nodes;
    }

    /** The tree of a new server; with a chroot the top is an ordinary node. */
    static SimTree initial(boolean chroot, long now) {
        long millis = now / SimScheduler.MILLIS;
        Map<String, Node> nodes = new HashMap<>();
        byte[] none = {};
        if (chroot) {
            nodes.put("/", new Node(none, 2, 2, 2, millis - 900, millis - 900, 0, 0, 0, 0));
        } else {
            nodes.put("/", new Node(none, 0, 0, 0, 0, 0, 0, 0, 1, 0));
            nodes.put("/zookeeper", new Node(none, 0, 0, 0, 0, 0, 0, 0, 0, 0));
        }
        return new SimTree(nodes);
    }

    static SimTree of(Map<String, Node> nodes) {
        return new SimTree(nodes);
    }

    Map<String, Node> copy() {
        return new HashMap<>(nodes);
    }

    @Nullable
    Node get(String path) {
        return nodes.get(path);
    }

    List<String> children(String path) {
        String prefix = path.equals("/") ? "/" : path + "/";
        List<String> names = new ArrayList<>();
        for (String each : nodes.keySet()) {
            if (each.length() > prefix.length() && each.startsWith(prefix) && each.indexOf('/', prefix.length()) < 0) {
                names.add(each.substring(prefix.length()));
            }
        }
        return names;
    }

    /** The path and everything below it, children first. */
    List<String> subtree(String path) {
        List<String> paths = new ArrayList<>();
        for (String child : children(path)) {
            paths.addAll(subtree(path.equals("/") ? "/" + child : path + "/" + child));
        }
        if (nodes.containsKey(path)) {
            paths.add(path);
        }
        return paths;
    }

    List<String> ownedBy(long session) {
        List<String> paths = new ArrayList<>();
        nodes.forEach((path, node) -> {
            if (node.owner == session) {
                paths.add(path);
            }
        });
        return paths;
    }
}
