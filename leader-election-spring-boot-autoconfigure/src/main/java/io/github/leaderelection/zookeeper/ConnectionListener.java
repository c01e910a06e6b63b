package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;

/** Told how a connection fares; called on the loop. */
interface ConnectionListener {

    /** Elections can be joined: the beat is made. */
    void ready();

    /** The beat cannot be made. */
    void refused(ElectionException cause);

    default void connected(long session, long timeoutMillis) {}

    default void disconnected() {}

    /** A heartbeat was acknowledged, that long after it was sent. */
    default void acknowledged(long millis, long lease) {}
}
