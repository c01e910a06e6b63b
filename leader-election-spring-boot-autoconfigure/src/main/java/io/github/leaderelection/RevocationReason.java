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
    SHUTDOWN;

    /**
     * Whether leadership was lost, rather than handed over: another candidate may lead before listeners and leader-only work
     * of the term are done.
     */
    public boolean isLoss() {
        return switch (this) {
            case CONNECTION_LOST, SESSION_EXPIRED, NODE_LOST, ENDED -> true;
            case RESIGNED, STEPPED_DOWN, WITHDRAWN, LISTENER_FAILED, NOT_READY, SHUTDOWN -> false;
        };
    }
}
