package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.znode.Paths;

/**
 * The candidate right before us.
 *
 * @param path the same String instance that the watch is registered under, to save memory
 * @param heartbeat the path of its connection's beat; empty as long as that is not known
 * @param watched whether a watch on it is known to be set
 */
public record Predecessor(String path, String heartbeat, boolean watched) {

    /** One of which nothing is known. */
    Predecessor(String path) {
        this(path, "", false);
    }

    Predecessor unwatched() {
        return new Predecessor(path, heartbeat, false);
    }

    public String node() {
        return Paths.name(path);
    }
}
