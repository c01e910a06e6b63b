package io.github.leaderelection.event;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionException;

/** Something keeps the election from going on. It is tried again where that can help. */
public class OnElectionFailedEvent extends ElectionEvent {

    private final ElectionException cause;

    public OnElectionFailedEvent(Election election, ElectionException cause) {
        super(election);
        this.cause = cause;
    }

    public ElectionException getCause() {
        return cause;
    }
}
