package io.github.leaderelection.event;

import io.github.leaderelection.Election;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;

/** Published when this instance is no longer the leader. Follows exactly one {@link OnGrantedEvent} of the same term. */
public class OnRevokedEvent extends ElectionEvent {

    private final transient Leadership leadership;
    private final RevocationReason reason;

    public OnRevokedEvent(Election election, Leadership leadership, RevocationReason reason) {
        super(election);
        this.leadership = leadership;
        this.reason = reason;
    }

    /** The term that has ended. */
    public Leadership getLeadership() {
        return leadership;
    }

    public RevocationReason getReason() {
        return reason;
    }
}
