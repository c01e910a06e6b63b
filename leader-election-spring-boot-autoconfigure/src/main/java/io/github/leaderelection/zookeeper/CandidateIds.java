package io.github.leaderelection.zookeeper;

import io.github.leaderelection.support.OneLine;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The ids of other instances, for the log. All candidates of a connection share one id, so a thousand elections with
 * the same leader need a single read. Confined to the loop.
 */
final class CandidateIds {

    /** Each session of another instance adds an entry. */
    private static final int MOST = 1_000;

    private final AsyncClient client;
    private final Map<String, CompletableFuture<String>> ids = new LinkedHashMap<>();

    CandidateIds(AsyncClient client) {
        this.client = client;
    }

    /** Keeps an equal id: thousands of elections share that string. */
    void learn(String connection, String id) {
        String readable = OneLine.of(id);
        CompletableFuture<String> known = ids.get(connection);
        if (known == null || !known.getNow("").equals(readable)) {
            put(connection, CompletableFuture.completedFuture(readable));
        }
    }

    /**
     * Completes with the id of that connection's candidates, or with an empty string if it is unknown.
     *
     * @param path the candidate to read if the id is not cached
     */
    CompletableFuture<String> find(String connection, String path, boolean mayRead) {
        CompletableFuture<String> known = ids.get(connection);
        if (known != null || !mayRead) {
            return known != null ? known : CompletableFuture.completedFuture("");
        }
        var id = new CompletableFuture<String>();
        put(connection, id);
        client.send(new Request.Get(path, false), reply -> {
            if (!reply.ok()) {
                ids.remove(connection, id);
            }
            id.complete(
                    reply.ok() ? OneLine.of(CandidateData.parse(reply.data()).id()) : "");
        });
        return id;
    }

    private void put(String connection, CompletableFuture<String> id) {
        if (ids.size() == MOST && !ids.containsKey(connection)) {
            ids.remove(ids.keySet().iterator().next());
        }
        ids.put(connection, id);
    }
}
