package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.zookeeper.znode.Paths;

/**
 * The candidate right before us in the queue.
 *
 * @param heartbeat the path of its connection's heartbeat; empty as long as that is not known
 * @param watched whether a watch on it is known to be set
 */
public record Predecessor(String path, String heartbeat, boolean watched) {

    /** A predecessor whose node has not been read yet. */
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
