package io.github.leaderelection.zookeeper.client;

import java.util.function.Consumer;

/** The way to ZooKeeper: never blocks; answers come in the order of the requests, on the loop, among the watch events. */
public interface AsyncClient {

    void send(Request request, Consumer<Reply> answer);

    /** Whether watches outlive a lost connection: on the next one they are set again before anything else is sent. */
    default boolean keepsWatches() {
        return true;
    }
}
