package io.github.leaderelection.event;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Publishes what happens to elections as application events. It begins when the application's event listeners are there
 * to hear of it; what they are told first is how things are by then.
 */
public final class ElectionEventPublisher implements ElectionCustomizer, ApplicationListener<ContextRefreshedEvent> {

    private final ApplicationEventPublisher publisher;
    private final List<Election> waiting = new ArrayList<>();
    private boolean begun;

    public ElectionEventPublisher(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public synchronized void customize(Election election) {
        if (begun) {
            publish(election);
        } else {
            waiting.add(election);
        }
    }

    @Override
    public synchronized void onApplicationEvent(ContextRefreshedEvent event) {
        begun = true;
        waiting.forEach(this::publish);
        waiting.clear();
    }

    private void publish(Election election) {
        if (election.role() != Role.CLOSED) {
            election.addListener(new Publication(election));
        }
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

        /** For the log, where a listener that fails is named. */
        @Override
        public String toString() {
            return "the application's event listeners";
        }
    }
}
