package io.github.leaderelection.event;

import io.github.leaderelection.Election;
import io.github.leaderelection.Leadership;

/** Published when this instance becomes the leader. If an event listener throws, the instance gives up leadership. */
public class OnGrantedEvent extends ElectionEvent {

    private final transient Leadership leadership;

    public OnGrantedEvent(Election election, Leadership leadership) {
        super(election);
        this.leadership = leadership;
    }

    /** The term that has begun. */
    public Leadership getLeadership() {
        return leadership;
    }
}
