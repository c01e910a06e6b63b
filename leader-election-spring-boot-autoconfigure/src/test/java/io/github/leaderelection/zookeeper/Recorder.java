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

/** Writes down what a listener is told, in order; whoever sees a part of an event sees all of it. */
class Recorder implements ElectionListener {

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<Leadership> terms = new CopyOnWriteArrayList<>();
    private final List<ElectionException> failures = new CopyOnWriteArrayList<>();

    /** For example "granted", "revoked STEPPED_DOWN", "ended", "failed", "leader b". */
    synchronized List<String> events() {
        return List.copyOf(events);
    }

    synchronized List<Leadership> terms() {
        return List.copyOf(terms);
    }

    synchronized List<ElectionException> failures() {
        return List.copyOf(failures);
    }

    @Override
    public synchronized void granted(Leadership term) {
        terms.add(term);
        events.add("granted");
    }

    @Override
    public synchronized void revoked(Leadership term, RevocationReason reason) {
        events.add("revoked " + reason);
    }

    @Override
    public synchronized void leaderChanged(Election election, Optional<Candidate> leader) {
        events.add("leader " + leader.map(Candidate::id).orElse("-"));
    }

    @Override
    public synchronized void ended(Election election) {
        events.add("ended");
    }

    @Override
    public synchronized void failed(Election election, ElectionException cause) {
        failures.add(cause);
        events.add("failed");
    }
}
