package io.github.leaderelection.event;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import java.util.Optional;

/** Another candidate leads, or nobody does. Only for elections that are observed. */
@SuppressWarnings("OptionalUsedAsFieldOrParameterType")
public class OnLeaderChangedEvent extends ElectionEvent {

    private final transient Optional<Candidate> leader;

    public OnLeaderChangedEvent(Election election, Optional<Candidate> leader) {
        super(election);
        this.leader = leader;
    }

    /** Who leads now. */
    public Optional<Candidate> getLeader() {
        return leader;
    }
}
