package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request on its way, and what became of it. */
final class SimPacket {

    final Request request;
    final Consumer<Reply> answer;
    /** What it does to the tree; null for what a server answers by itself. */
    final @Nullable Function<SimTransaction, Reply> write;

    @Nullable
    Reply reply;

    /** Where in the log it was committed, or what the server had seen when it answered. */
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
