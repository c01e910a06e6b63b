package io.github.leaderelection.event;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ForwardingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Publishes events of elections as application events. Starts when the context has been refreshed, because event listeners
 * are not registered earlier; they first receive the current state of each election.
 */
public final class ElectionEventPublisher implements ElectionCustomizer, ApplicationListener<ContextRefreshedEvent> {

    private final ApplicationEventPublisher publisher;
    private final List<Election> pending = new ArrayList<>();
    private boolean started;

    public ElectionEventPublisher(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public synchronized void customize(Election election) {
        if (started) {
            addListener(election);
        } else {
            pending.add(election);
        }
    }

    @Override
    public synchronized void onApplicationEvent(ContextRefreshedEvent event) {
        started = true;
        pending.forEach(this::addListener);
        pending.clear();
    }

    private void addListener(Election election) {
        if (election.role() != Role.CLOSED) {
            election.addListener(new PublishingListener(election));
        }
    }

    private final class PublishingListener implements ForwardingListener {

        private final Election election;

        PublishingListener(Election election) {
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

        /** Appears in the log when a listener fails. */
        @Override
        public String toString() {
            return "the application's event listeners";
        }
    }
}
