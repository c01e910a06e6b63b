package io.github.leaderelection.event;

import io.github.leaderelection.Election;
import org.springframework.context.ApplicationEvent;

/**
 * Something has happened to an election of this application.
 *
 * <p>The events of one election come in order and one at a time, on a thread that may be blocked without harm to any
 * election. When an event arrives {@link Election#isLeader()} has already changed.
 */
public abstract class ElectionEvent extends ApplicationEvent {

    private final transient Election election;

    ElectionEvent(Election election) {
        super(election);
        this.election = election;
    }

    public Election getElection() {
        return election;
    }
}
