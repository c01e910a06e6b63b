package io.github.leaderelection.zookeeper.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.zookeeper.AsyncCallback.Children2Callback;
import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.MultiCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Passes the reply to a request of any kind on to the loop. One class, because a lambda for each kind would have to be
 * linked before a process can lead for the first time.
 */
final class ReplyCallback
        implements Create2Callback,
                VoidCallback,
                StatCallback,
                DataCallback,
                Children2Callback,
                MultiCallback,
                Runnable {

    private final Executor loop;
    private final Consumer<Reply> onReply;
    private Reply reply = Reply.NONE;

    ReplyCallback(Executor loop, Consumer<Reply> onReply) {
        this.loop = loop;
        this.onReply = onReply;
    }

    /** There is exactly one reply; handing it to the loop makes it visible there. */
    void reply(Reply reply) {
        this.reply = reply;
        loop.execute(this);
    }

    @Override
    public void run() {
        onReply.accept(reply);
    }

    @Override
    public void processResult(int rc, String path, Object context) {
        reply(Reply.of(Code.get(rc)));
    }

    @Override
    public void processResult(int rc, String path, Object context, @Nullable Stat stat) {
        reply(rc == 0 && stat != null ? Reply.stat(stat) : Reply.of(Code.get(rc)));
    }

    @Override
    public void processResult(int rc, String path, Object context, String created, Stat stat) {
        reply(rc == 0 ? Reply.created(created, stat) : Reply.of(Code.get(rc)));
    }

    @Override
    public void processResult(int rc, String path, Object context, byte @Nullable [] data, Stat stat) {
        reply(rc == 0 ? data(data, stat) : Reply.of(Code.get(rc)));
    }

    @Override
    public void processResult(int rc, String path, Object context, List<String> children, Stat stat) {
        reply(rc == 0 ? Reply.children(children) : Reply.of(Code.get(rc)));
    }

    /** A transaction succeeds or fails as a whole; each of several reads succeeds or fails by itself. */
    @Override
    public void processResult(int rc, String path, Object request, @Nullable List<OpResult> results) {
        if (results == null || results.isEmpty()) {
            reply(Reply.of(Code.get(rc)));
        } else if (request instanceof Request.Reads) {
            reply(Reply.parts(parts(results)));
        } else {
            OpResult last = results.get(results.size() - 1);
            boolean written = rc == 0 && last instanceof OpResult.SetDataResult;
            reply(written ? Reply.stat(((OpResult.SetDataResult) last).getStat()) : Reply.of(Code.get(rc)));
        }
    }

    private static List<Reply> parts(List<OpResult> results) {
        List<Reply> parts = new ArrayList<>(results.size());
        for (OpResult result : results) {
            if (result instanceof OpResult.GetChildrenResult names) {
                parts.add(Reply.children(names.getChildren()));
            } else if (result instanceof OpResult.GetDataResult read) {
                parts.add(data(read.getData(), read.getStat()));
            } else {
                parts.add(Reply.of(result instanceof OpResult.ErrorResult error ? Code.get(error.getErr()) : Code.OK));
            }
        }
        return parts;
    }

    private static Reply data(byte @Nullable [] data, Stat stat) {
        return Reply.data(data == null ? Request.NO_DATA : data, stat);
    }
}
