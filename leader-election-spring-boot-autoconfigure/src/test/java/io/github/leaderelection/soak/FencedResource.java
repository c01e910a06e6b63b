package io.github.leaderelection.soak;

/** A resource that only the leader may write to, and that refuses former leaders. */
enum FencedResource {
    /** Nodes in ZooKeeper, created together with a check of the leader's own node. */
    ZOOKEEPER,
    /** A table with the newest token. */
    SQL
}
