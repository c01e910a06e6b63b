package io.github.leaderelection.event;

import io.github.leaderelection.Election;

/** Published when the election was deleted. It is not joined again. */
public class OnElectionEndedEvent extends ElectionEvent {

    public OnElectionEndedEvent(Election election) {
        super(election);
    }
}
