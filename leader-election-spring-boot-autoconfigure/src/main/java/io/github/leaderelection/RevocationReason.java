package io.github.leaderelection;

/** Why a term of leadership ended. */
public enum RevocationReason {
    RESIGNED,
    STEPPED_DOWN,
    WITHDRAWN,
    /** The lease could not be renewed in time. */
    CONNECTION_LOST,
    SESSION_EXPIRED,
    /** Somebody deleted the leader's node, or overwrote the record of who leads. */
    NODE_LOST,
    /** The election was deleted. */
    ENDED,
    /** A listener threw from {@link ElectionListener#granted}. */
    LISTENER_FAILED,
    /** The application refuses traffic. */
    NOT_READY,
    SHUTDOWN
}
