package io.github.leaderelection.zookeeper.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Requests by the client's asynchronous API. All answers and events come from the client's one event thread and go
 * straight to the loop, so they keep their order.
 */
public final class ZooKeeperAsyncClient implements AsyncClient {

    private final Executor loop;
    private final List<ACL> acl;
    private @Nullable ZooKeeper zooKeeper;
    private @Nullable Watcher watcher;

    public ZooKeeperAsyncClient(Executor loop, List<ACL> acl) {
        this.loop = loop;
        this.acl = acl;
    }

    /** From now on requests go by this connection. */
    public void use(ZooKeeper zooKeeper, Watcher watcher) {
        this.zooKeeper = zooKeeper;
        this.watcher = watcher;
    }

    /** The client sees to it, unless it is told not to. */
    @Override
    public boolean keepsWatches() {
        ZooKeeper client = zooKeeper;
        return client != null && !client.getClientConfig().getBoolean(ZKClientConfig.DISABLE_AUTO_WATCH_RESET);
    }

    @Override
    public int longestReply() {
        ZooKeeper client = zooKeeper;
        return client == null
                ? AsyncClient.super.longestReply()
                : client.getClientConfig()
                        .getInt(ZKClientConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
    }

    @Override
    public void send(Request request, Consumer<Reply> answer) {
        ZooKeeper client = zooKeeper;
        Consumer<Reply> onLoop = reply -> loop.execute(() -> answer.accept(reply));
        if (client == null) {
            onLoop.accept(Reply.of(Code.CONNECTIONLOSS));
        } else {
            try {
                send(client, request, onLoop);
            } catch (IllegalArgumentException invalid) {
                onLoop.accept(Reply.of(Code.BADARGUMENTS));
            }
        }
    }

    private void send(ZooKeeper client, Request request, Consumer<Reply> answer) {
        if (request instanceof Request.Create create) {
            client.create(
                    create.path(),
                    create.data(),
                    acl,
                    create.mode(),
                    (rc, path, ctx, name, stat) ->
                            answer.accept(rc == 0 ? Reply.created(name, stat) : Reply.of(Code.get(rc))),
                    null);
        } else if (request instanceof Request.Delete delete) {
            client.delete(
                    delete.path(), delete.version(), (rc, path, ctx) -> answer.accept(Reply.of(Code.get(rc))), null);
        } else if (request instanceof Request.Set set) {
            client.setData(
                    set.path(), set.data(), set.version(), (rc, path, ctx, stat) -> stat(answer, rc, stat), null);
        } else if (request instanceof Request.Get get) {
            client.getData(
                    get.path(),
                    get.watch() ? watcher : null,
                    (rc, path, ctx, data, stat) -> answer.accept(
                            rc == 0 ? Reply.data(data == null ? Request.NO_DATA : data, stat) : Reply.of(Code.get(rc))),
                    null);
        } else if (request instanceof Request.Exists exists) {
            client.exists(
                    exists.path(),
                    exists.watch() ? watcher : null,
                    (rc, path, ctx, stat) -> stat(answer, rc, stat),
                    null);
        } else if (request instanceof Request.Children children) {
            client.getChildren(
                    children.path(),
                    children.watch() ? watcher : null,
                    (rc, path, ctx, names, stat) ->
                            answer.accept(rc == 0 ? Reply.children(names, stat) : Reply.of(Code.get(rc))),
                    null);
        } else if (request instanceof Request.Multi multi) {
            client.multi(ops(multi.parts()), (rc, path, ctx, results) -> answer.accept(Reply.of(Code.get(rc))), null);
        } else if (request instanceof Request.Reads reads) {
            client.multi(
                    ops(reads.parts()),
                    (rc, path, ctx, results) -> answer.accept(
                            results == null || results.isEmpty() ? Reply.of(Code.get(rc)) : parts(results)),
                    null);
        } else if (request instanceof Request.AddWatch add) {
            client.addWatch(
                    add.path(),
                    watcher,
                    AddWatchMode.PERSISTENT,
                    (rc, path, ctx) -> answer.accept(Reply.of(Code.get(rc))),
                    null);
        } else if (request instanceof Request.RemoveWatches remove) {
            client.removeAllWatches(
                    remove.path(),
                    remove.persistent() ? WatcherType.Any : WatcherType.Data,
                    false,
                    (rc, path, ctx) -> answer.accept(Reply.of(Code.get(rc))),
                    null);
        } else {
            throw new IllegalStateException("Never sent by itself: " + request);
        }
    }

    private static void stat(Consumer<Reply> answer, int rc, @Nullable Stat stat) {
        answer.accept(rc == 0 && stat != null ? Reply.stat(stat) : Reply.of(Code.get(rc)));
    }

    /** Of several reads each one succeeds or fails by itself. */
    private static Reply parts(List<OpResult> results) {
        List<Reply> parts = new ArrayList<>(results.size());
        for (OpResult result : results) {
            if (result instanceof OpResult.GetChildrenResult names) {
                parts.add(Reply.names(names.getChildren()));
            } else if (result instanceof OpResult.GetDataResult data) {
                parts.add(Reply.data(data.getData() == null ? Request.NO_DATA : data.getData(), data.getStat()));
            } else {
                parts.add(Reply.of(result instanceof OpResult.ErrorResult error ? Code.get(error.getErr()) : Code.OK));
            }
        }
        return Reply.parts(parts);
    }

    private List<Op> ops(List<Request> parts) {
        return parts.stream().map(this::op).toList();
    }

    private Op op(Request part) {
        if (part instanceof Request.Create create) {
            return Op.create(create.path(), create.data(), acl, create.mode());
        } else if (part instanceof Request.Delete delete) {
            return Op.delete(delete.path(), delete.version());
        } else if (part instanceof Request.Set set) {
            return Op.setData(set.path(), set.data(), set.version());
        } else if (part instanceof Request.Check check) {
            return Op.check(check.path(), -1);
        } else if (part instanceof Request.Names names) {
            return Op.getChildren(names.path());
        } else if (part instanceof Request.Get get) {
            return Op.getData(get.path());
        }
        throw new IllegalStateException("Not possible in a multi: " + part);
    }
}
