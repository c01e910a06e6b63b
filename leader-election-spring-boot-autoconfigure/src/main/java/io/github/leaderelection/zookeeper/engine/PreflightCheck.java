package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;

/**
 * Checks whether this instance can join an election, and leaves no trace: it creates the nodes in a transaction whose
 * last operation always fails. Confined to the loop.
 */
public record PreflightCheck(AsyncClient client, String name, String path, boolean createPaths) {

    /** A new node has version 0. */
    private static final int WRONG_VERSION = 1;

    /** Completes with an {@link ElectionException} if the election cannot be joined. */
    public CompletableFuture<Void> begin() {
        var result = new CompletableFuture<Void>();
        List<Request> creations = new ArrayList<>();
        for (String node : Paths.fromTop(path)) {
            client.send(new Request.Exists(node), reply -> {
                if (reply.noNode()) {
                    creations.add(new Request.Create(node, Request.NO_DATA, CreateMode.PERSISTENT));
                } else if (!reply.ok()) {
                    result.completeExceptionally(reply.failure("check " + node + " for election '" + name + "'"));
                }
                if (node.equals(path) && !result.isDone()) {
                    tryToJoin(creations, result);
                }
            });
        }
        return result;
    }

    private void tryToJoin(List<Request> creations, CompletableFuture<Void> result) {
        if (!creations.isEmpty() && !createPaths) {
            result.completeExceptionally(new ElectionNotFoundException("There is no node " + path + " for election '"
                    + name + "', and it may not be created: create it, or allow it (create-paths)"));
            return;
        }
        String candidate = path + "/rehearsal";
        List<Request> parts = new ArrayList<>(creations);
        parts.add(new Request.Create(candidate, Request.NO_DATA, CreateMode.EPHEMERAL));
        parts.add(new Request.Delete(candidate, WRONG_VERSION));
        client.send(new Request.Multi(parts), reply -> {
            switch (reply.code()) {
                // NODEEXISTS and NONODE: another client has changed the path at the same time.
                case BADVERSION, NODEEXISTS, NONODE -> result.complete(null);
                default ->
                    result.completeExceptionally(
                            reply.failure("create or delete nodes in " + path + " for election '" + name + "'"));
            }
        });
    }
}
