package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.ElectionException;

/** Notified of the state of the connection; called on the loop. */
public interface ConnectionListener {

    /** The heartbeat's node exists, so elections can be joined. */
    default void ready() {}

    /** The heartbeat's node cannot be created. */
    default void refused(ElectionException cause) {}

    default void connected(long session, long timeoutMillis) {}

    default void disconnected() {}

    /** Another client has deleted or replaced the heartbeat's node; all candidates join again. */
    default void heartbeatLost(String path) {}

    /** The negotiated session is too short for the configured lease; both in milliseconds. */
    default void leaseShortened(long configured, long lease) {}

    /** A heartbeat was acknowledged {@code millis} after it was sent. */
    default void acknowledged(long millis, long lease) {}
}
