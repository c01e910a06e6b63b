package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.zookeeper.client.AsyncClient;
import io.github.leaderelection.zookeeper.client.ErrorTexts;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Finds out what would keep this instance from joining an election, without a trace: the nodes are made in a transaction
 * that is bound to fail at its end. Confined to the loop.
 */
public final class PreflightCheck {

    /** A node that was made a moment ago has version 0. */
    private static final int WRONG_VERSION = 1;

    private final AsyncClient client;
    private final String name;
    private final String path;
    private final boolean createPaths;
    private final CompletableFuture<Void> result = new CompletableFuture<>();

    public PreflightCheck(AsyncClient client, String name, String path, boolean createPaths) {
        this.client = client;
        this.name = name;
        this.path = path;
        this.createPaths = createPaths;
    }

    /** Completes with an {@link ElectionException} if joining would not be possible. */
    public CompletableFuture<Void> begin() {
        List<String> missing = new ArrayList<>();
        List<String> paths = Paths.fromTop(path);
        paths.forEach(node -> client.send(new Request.Exists(node), reply -> {
            if (reply.noNode()) {
                missing.add(node);
            } else if (!reply.ok()) {
                refuse("see whether %s exists".formatted(node), reply.code());
            }
            if (node.equals(path) && !result.isDone()) {
                join(missing);
            }
        }));
        return result;
    }

    private void join(List<String> missing) {
        if (!missing.isEmpty() && !createPaths) {
            result.completeExceptionally(new ElectionNotFoundException(
                    "There is no node %s for election '%s', and it is not to be created:".formatted(path, name)
                            + " create it, or allow it (create-paths)"));
            return;
        }
        String candidate = path + "/rehearsal";
        List<Request> parts = new ArrayList<>();
        missing.forEach(node -> parts.add(new Request.Create(node, Request.NO_DATA, CreateMode.PERSISTENT)));
        parts.add(new Request.Create(candidate, Request.NO_DATA, CreateMode.EPHEMERAL));
        parts.add(new Request.Delete(candidate, WRONG_VERSION));
        client.send(new Request.Multi(parts), reply -> {
            switch (reply.code()) {
                // NODEEXISTS and NONODE: somebody else was at work on the path at the same time.
                case BADVERSION, NODEEXISTS, NONODE -> result.complete(null);
                default -> refuse("create or delete nodes in %s".formatted(path), reply.code());
            }
        });
    }

    private void refuse(String what, Code code) {
        String message = "Election '%s': cannot %s: %s".formatted(name, what, ErrorTexts.of(code));
        result.completeExceptionally(
                Reply.of(code).ambiguous() ? new ElectionConnectionException(message) : new ElectionException(message));
    }
}
