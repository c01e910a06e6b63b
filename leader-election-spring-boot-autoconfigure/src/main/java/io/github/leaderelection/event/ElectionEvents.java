package io.github.leaderelection.event;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes what happens to elections as application events. */
public final class ElectionEvents implements ElectionCustomizer {

    private final ApplicationEventPublisher publisher;

    public ElectionEvents(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void customize(Election election) {
        election.addListener(new Publication(election));
    }

    private final class Publication implements ElectionListener {

        private final Election election;

        Publication(Election election) {
            this.election = election;
        }

        @Override
        public void granted(Leadership term) {
            publisher.publishEvent(new OnGrantedEvent(election, term));
        }

        @Override
        public void revoked(Leadership term, RevocationReason reason) {
            publisher.publishEvent(new OnRevokedEvent(election, term, reason));
        }

        @Override
        public void leaderChanged(Election election, Optional<Candidate> leader) {
            publisher.publishEvent(new OnLeaderChangedEvent(election, leader));
        }

        @Override
        public void ended(Election election) {
            publisher.publishEvent(new OnElectionEndedEvent(election));
        }

        @Override
        public void failed(Election election, ElectionException cause) {
            publisher.publishEvent(new OnElectionFailedEvent(election, cause));
        }
    }
}
