package io.github.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what a listener hears, in order: "granted 1", "revoked 1 STEPPED_DOWN", "ended". */
public class EventLog implements ElectionListener {

    private final List<String> events = new CopyOnWriteArrayList<>();

    public void add(String event) {
        events.add(event);
    }

    public List<String> events() {
        return List.copyOf(events);
    }

    public void awaitEvent(String event) {
        await().atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> assertThat(events).contains(event));
    }

    @Override
    public void granted(Leadership term) {
        add("granted " + term.term());
    }

    @Override
    public void revoked(Leadership term, RevocationReason reason) {
        add("revoked " + term.term() + " " + reason);
    }

    @Override
    public void leaderChanged(Election election, Optional<Candidate> leader) {
        add("leader " + leader.map(Candidate::id).orElse("nobody"));
    }

    @Override
    public void ended(Election election) {
        add("ended");
    }

    @Override
    public void failed(Election election, ElectionException cause) {
        add("failed " + cause.getMessage());
    }
}
