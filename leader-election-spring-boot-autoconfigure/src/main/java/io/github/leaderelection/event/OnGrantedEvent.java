package io.github.leaderelection.event;

import io.github.leaderelection.Election;
import io.github.leaderelection.Leadership;

/** This instance leads. An event listener that throws makes it give the leadership up. */
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
