package io.github.leaderelection.event;

import io.github.leaderelection.Election;

/** The election was deleted. It is not joined again. */
public class OnElectionEndedEvent extends ElectionEvent {

    public OnElectionEndedEvent(Election election) {
        super(election);
    }
}
