package io.github.leaderelection.zookeeper.client;

import java.util.function.Consumer;

/**
 * The asynchronous port to ZooKeeper. It never blocks. R4: replies arrive on the loop, in the order of the requests and
 * in order with watch events.
 */
public interface AsyncClient {

    void send(Request request, Consumer<Reply> onReply);

    /** Whether watches survive a lost connection: the client sets them again before it sends anything else. */
    default boolean keepsWatches() {
        return true;
    }

    /** The number of bytes beyond which a reply breaks the connection ({@code jute.maxbuffer}). */
    default int longestReply() {
        return 1 << 20;
    }
}
