package io.github.leaderelection;

/** Why a term of leadership ended. */
public enum RevocationReason {
    RESIGNED,
    STEPPED_DOWN,
    WITHDRAWN,
    /** The lease ran out while there was no connection. */
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
    /** Leadership was handed over to a chosen candidate: by request, because of a higher priority, or to spread elections. */
    HANDED_OVER,
    /** The lease ran out although there was a connection: after a pause of the process, or because ZooKeeper was slow. */
    LEASE_EXPIRED,
    /** The application's health was down for too long. */
    UNHEALTHY;

    /**
     * Whether leadership was lost, rather than handed over: another candidate may lead before listeners and leader-only work
     * of the term are done.
     */
    public boolean isLoss() {
        return switch (this) {
            case CONNECTION_LOST, LEASE_EXPIRED, SESSION_EXPIRED, NODE_LOST, ENDED -> true;
            case RESIGNED, STEPPED_DOWN, WITHDRAWN, LISTENER_FAILED, NOT_READY, SHUTDOWN, HANDED_OVER, UNHEALTHY ->
                false;
        };
    }
}
