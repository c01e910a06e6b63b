package io.github.leaderelection.event;

import io.github.leaderelection.Election;
import io.github.leaderelection.Leadership;

/** Published when this instance becomes the leader. It gives up leadership if an event listener throws an exception. */
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
