package io.github.leaderelection.autoconfigure.web;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.ElectionListener;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers the leaders of the elections that this instance observes, so that ZooKeeper does not have to be asked. */
final class ObservedLeaders implements ElectionCustomizer {

    private final Map<String, Candidate> leaders = new ConcurrentHashMap<>();

    @Override
    public void customize(Election election) {
        election.addListener(new ElectionListener() {
            @Override
            public void leaderChanged(Election election, Optional<Candidate> leader) {
                leader.ifPresentOrElse(
                        candidate -> leaders.put(election.name(), candidate), () -> leaders.remove(election.name()));
            }
        });
    }

    @Override
    public void closed(Election election) {
        leaders.remove(election.name());
    }

    Optional<Candidate> leader(String election) {
        return Optional.ofNullable(leaders.get(election));
    }
}
