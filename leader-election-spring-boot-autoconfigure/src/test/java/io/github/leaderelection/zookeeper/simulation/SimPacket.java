package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request and its answer. */
final class SimPacket {

    final Request request;
    final Consumer<Reply> answer;
    /** What it writes; null for a read. */
    final @Nullable Function<SimTransaction, Reply> write;

    @Nullable
    Reply reply;

    /** The position in the log of the commit, or of the server that answered. */
    int index;

    SimPacket(Request request, Consumer<Reply> answer) {
        this(request, isWrite(request) ? transaction -> transaction.apply(request) : null, answer);
    }

    SimPacket(Request request, @Nullable Function<SimTransaction, Reply> write, Consumer<Reply> answer) {
        this.request = request;
        this.write = write;
        this.answer = answer;
    }

    private static boolean isWrite(Request request) {
        return request instanceof Request.Create
                || request instanceof Request.Delete
                || request instanceof Request.Set
                || request instanceof Request.Multi;
    }
}
