package io.github.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records the events that a listener receives, in order: "granted 1", "revoked 1 STEPPED_DOWN", "leader b", "ended",
 * "failed" with the message.
 */
public class EventLog implements ElectionListener {

    private final List<String> events = new ArrayList<>();
    private final List<Leadership> terms = new ArrayList<>();
    private final List<ElectionException> failures = new ArrayList<>();

    public static EventLog of(Election election) {
        var log = new EventLog();
        election.addListener(log);
        return log;
    }

    public synchronized void add(String event) {
        events.add(event);
    }

    public synchronized List<String> events() {
        return List.copyOf(events);
    }

    /** The terms that were granted. */
    public synchronized List<Leadership> terms() {
        return List.copyOf(terms);
    }

    public synchronized List<ElectionException> failures() {
        return List.copyOf(failures);
    }

    public void awaitEvent(String event) {
        await().atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> assertThat(events()).contains(event));
    }

    @Override
    public synchronized void granted(Leadership term) {
        terms.add(term);
        add("granted " + term.term());
    }

    @Override
    public synchronized void revoked(Leadership term, RevocationReason reason) {
        add("revoked " + term.term() + " " + reason);
    }

    @Override
    public synchronized void leaderChanged(Election election, Optional<Candidate> leader) {
        add("leader " + leader.map(Candidate::id).orElse("nobody"));
    }

    @Override
    public synchronized void ended(Election election) {
        add("ended");
    }

    @Override
    public synchronized void failed(Election election, ElectionException cause) {
        failures.add(cause);
        add("failed " + cause.getMessage());
    }
}
