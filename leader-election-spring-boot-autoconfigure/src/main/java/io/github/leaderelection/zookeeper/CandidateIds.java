package io.github.leaderelection.zookeeper;

import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The ids of other instances, for the log. All candidates of a connection share one id, so a thousand elections with
 * the same leader need a single read. Confined to the loop.
 */
final class CandidateIds {

    /** Each session of another instance adds an entry. */
    private static final int MOST = 1_000;

    private final Map<String, CompletableFuture<String>> ids = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CompletableFuture<String>> eldest) {
            return size() > MOST;
        }
    };

    /** Keeps an equal id: thousands of elections share that string. */
    void learn(String node, String id) {
        String readable = OneLine.of(id);
        NodeName.parse(node)
                .map(NodeName::connection)
                .filter(connection -> !readable.equals(known(connection)))
                .ifPresent(connection -> ids.put(connection, CompletableFuture.completedFuture(readable)));
    }

    private @Nullable String known(String connection) {
        CompletableFuture<String> id = ids.get(connection);
        return id == null ? null : id.getNow("");
    }

    /**
     * Completes with the id of the candidate that owns the given node, or with an empty string if it is unknown.
     *
     * @param mayRead whether to read the node if the id is not cached
     */
    CompletableFuture<String> find(String path, NodeName node, boolean mayRead, AsyncClient client) {
        CompletableFuture<String> known = ids.get(node.connection());
        if (known != null || !mayRead) {
            return known != null ? known : CompletableFuture.completedFuture("");
        }
        var id = new CompletableFuture<String>();
        ids.put(node.connection(), id);
        client.send(new Request.Get(path, false), reply -> {
            if (!reply.ok()) {
                ids.remove(node.connection(), id);
            }
            id.complete(
                    reply.ok() ? OneLine.of(CandidateData.parse(reply.data()).id()) : "");
        });
        return id;
    }
}
