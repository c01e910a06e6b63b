package io.github.leaderelection.event;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionException;

/** Published when an error prevents the election from making progress. The operation is retried if that can help. */
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
