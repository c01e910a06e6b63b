package io.github.leaderelection.soak;

/** What only leaders may write to, and what refuses those who led before. */
enum Resource {
    /** Nodes in ZooKeeper, made together with a check of the leader's own node. */
    ZOOKEEPER,
    /** A table that knows the newest token. */
    SQL
}
