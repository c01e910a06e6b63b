package io.github.leaderelection.zookeeper.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests through the client's asynchronous API. R4: all replies and events come from its single event thread
 * and go straight to the loop, so they keep their order.
 */
public final class ZooKeeperAsyncClient implements AsyncClient {

    private final Executor loop;
    private final List<ACL> acl;
    private @Nullable ZooKeeper client;
    private @Nullable Watcher watcher;

    public ZooKeeperAsyncClient(Executor loop, List<ACL> acl) {
        this.loop = loop;
        this.acl = acl;
    }

    public void use(ZooKeeper client, Watcher watcher) {
        this.client = client;
        this.watcher = watcher;
    }

    /** The client sets watches again unless it is configured not to. */
    @Override
    public boolean keepsWatches() {
        return client != null && !client.getClientConfig().getBoolean(ZKClientConfig.DISABLE_AUTO_WATCH_RESET);
    }

    @Override
    public int longestReply() {
        return client == null
                ? AsyncClient.super.longestReply()
                : client.getClientConfig()
                        .getInt(ZKClientConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
    }

    @Override
    public void send(Request request, Consumer<Reply> onReply) {
        ReplyCallback callback = new ReplyCallback(loop, onReply);
        if (client == null) {
            callback.reply(Reply.of(Code.CONNECTIONLOSS));
            return;
        }
        try {
            send(client, request, callback);
        } catch (IllegalArgumentException invalid) {
            callback.reply(Reply.of(Code.BADARGUMENTS));
        }
    }

    private void send(ZooKeeper client, Request request, ReplyCallback callback) {
        String path = request.path();
        if (request instanceof Request.Create create) {
            client.create(path, create.data(), acl, create.mode(), callback, null);
        } else if (request instanceof Request.Delete delete) {
            client.delete(path, delete.version(), callback, null);
        } else if (request instanceof Request.Set set) {
            client.setData(path, set.data(), set.version(), callback, null);
        } else if (request instanceof Request.Get get) {
            client.getData(path, get.watch() ? watcher : null, callback, null);
        } else if (request instanceof Request.Exists exists) {
            client.exists(path, exists.watch() ? watcher : null, callback, null);
        } else if (request instanceof Request.Children children) {
            client.getChildren(path, children.watch() ? watcher : null, callback, null);
        } else if (request instanceof Request.Multi multi) {
            client.multi(ops(multi.parts()), callback, request);
        } else if (request instanceof Request.Reads reads) {
            client.multi(ops(reads.parts()), callback, request);
        } else if (request instanceof Request.AddWatch) {
            client.addWatch(path, watcher, AddWatchMode.PERSISTENT, callback, null);
        } else if (request instanceof Request.RemoveWatches remove) {
            WatcherType type = remove.persistent() ? WatcherType.Any : WatcherType.Data;
            client.removeAllWatches(path, type, false, callback, null);
        } else {
            throw new IllegalStateException("Cannot be sent by itself: " + request);
        }
    }

    private List<Op> ops(List<Request> parts) {
        List<Op> ops = new ArrayList<>(parts.size());
        for (Request part : parts) {
            ops.add(op(part));
        }
        return ops;
    }

    private Op op(Request part) {
        String path = part.path();
        if (part instanceof Request.Create create) {
            return Op.create(path, create.data(), acl, create.mode());
        } else if (part instanceof Request.Delete delete) {
            return Op.delete(path, delete.version());
        } else if (part instanceof Request.Set set) {
            return Op.setData(path, set.data(), set.version());
        } else if (part instanceof Request.Check check) {
            return Op.check(path, check.version());
        } else if (part instanceof Request.Children) {
            return Op.getChildren(path);
        } else if (part instanceof Request.Get) {
            return Op.getData(path);
        }
        throw new IllegalStateException("Cannot be part of a transaction: " + part);
    }
}
