package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The connections that this process had on its former sessions. A client that reaches no server for long gives up its
 * session, but after an outage the servers keep it for up to another session timeout, and its nodes would block the
 * queue until then. Confined to the loop.
 */
final class FormerConnections {

    /** Older ones have expired long ago. */
    private static final int MOST = 8;

    private final Engine engine;
    private final Deque<String> guids = new ArrayDeque<>();

    FormerConnections(Engine engine) {
        this.engine = engine;
    }

    void add(String guid) {
        guids.addLast(guid);
        if (guids.size() > MOST) {
            guids.removeFirst();
        }
    }

    /**
     * R41: deletes the nodes that they left in a queue. This is safe: their terms ended with the session, and no other
     * candidate leads before it has waited for the lease in the record.
     */
    void deleteNodes(String election, List<String> children) {
        if (guids.isEmpty()) {
            return;
        }
        for (String child : children) {
            NodeName.parse(child)
                    .filter(node -> guids.contains(node.connection()))
                    .ifPresent(node -> engine.client.send(
                            new Request.Delete(Paths.child(election, node.name()), -1), reply -> {}));
        }
    }
}
