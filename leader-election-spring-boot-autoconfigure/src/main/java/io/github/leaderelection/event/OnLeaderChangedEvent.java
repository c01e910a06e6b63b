package io.github.leaderelection.event;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import java.util.Optional;

/** Published when the leader has changed, or there is none. Only for elections that are observed. */
@SuppressWarnings("OptionalUsedAsFieldOrParameterType")
public class OnLeaderChangedEvent extends ElectionEvent {

    private final transient Optional<Candidate> leader;

    public OnLeaderChangedEvent(Election election, Optional<Candidate> leader) {
        super(election);
        this.leader = leader;
    }

    /** The current leader; empty if there is none. */
    public Optional<Candidate> getLeader() {
        return leader;
    }
}
