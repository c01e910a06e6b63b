package io.github.leaderelection;

/** Why a term of leadership ended. */
public enum RevocationReason {
    RESIGNED,
    STEPPED_DOWN,
    WITHDRAWN,
    /** The lease could not be renewed in time. */
    CONNECTION_LOST,
    SESSION_EXPIRED,
    /** The leader's node was deleted, or the record of the leader was overwritten, by another client. */
    NODE_LOST,
    /** The election was deleted. */
    ENDED,
    /** {@link ElectionListener#granted} threw an exception. */
    LISTENER_FAILED,
    /** The application does not accept traffic. */
    NOT_READY,
    SHUTDOWN,
    /** The leadership was moved to another candidate. */
    HANDED_OVER,
    /** The lease could not be renewed in time although the connection was established. */
    LEASE_EXPIRED,
    /** The application is unhealthy. */
    UNHEALTHY
}
