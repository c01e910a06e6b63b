package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;

/** Told how a connection fares; called on the loop. */
public interface ConnectionListener {

    /** Elections can be joined: the beat is made. */
    void ready();

    /** The beat cannot be made. */
    void refused(ElectionException cause);

    default void connected(long session, long timeoutMillis) {}

    default void disconnected() {}

    /** The session that was negotiated is too short for the lease that was wished for; both in milliseconds. */
    default void leaseShortened(long configured, long lease) {}

    /** A heartbeat was acknowledged, that long after it was sent. */
    default void acknowledged(long millis, long lease) {}
}
