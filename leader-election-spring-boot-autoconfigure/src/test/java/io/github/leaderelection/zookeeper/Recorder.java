package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what a listener is told, in order. */
class Recorder implements ElectionListener {

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<Leadership> terms = new CopyOnWriteArrayList<>();
    private final List<ElectionException> failures = new CopyOnWriteArrayList<>();

    /** For example "granted", "revoked STEPPED_DOWN", "ended", "failed", "leader b". */
    List<String> events() {
        return List.copyOf(events);
    }

    List<Leadership> terms() {
        return List.copyOf(terms);
    }

    List<ElectionException> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void granted(Leadership term) {
        terms.add(term);
        events.add("granted");
    }

    @Override
    public void revoked(Leadership term, RevocationReason reason) {
        events.add("revoked " + reason);
    }

    @Override
    public void leaderChanged(Election election, Optional<Candidate> leader) {
        events.add("leader " + leader.map(Candidate::id).orElse("-"));
    }

    @Override
    public void ended(Election election) {
        events.add("ended");
    }

    @Override
    public void failed(Election election, ElectionException cause) {
        failures.add(cause);
        events.add("failed");
    }
}
