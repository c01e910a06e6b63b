package io.github.leaderelection.event;

import io.github.leaderelection.Election;
import org.springframework.context.ApplicationEvent;

/**
 * Base class of events of elections.
 *
 * <p>The events of one election are published in order and one at a time, on a thread that may block without affecting any
 * election. When an event is published, {@link Election#isLeader()} has already changed.
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
