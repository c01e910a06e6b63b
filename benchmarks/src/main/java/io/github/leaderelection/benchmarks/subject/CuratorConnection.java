package io.github.leaderelection.benchmarks.subject;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.curator.framework.CuratorFramework;

/** A connection of Curator, for all subjects that are based on it. */
final class CuratorConnection implements Subject.Connection {

    /** Creates a candidate, given the path of the election and the callback for leadership. */
    interface CandidateFactory extends BiFunction<String, Runnable, Subject.Candidate> {}

    private final CuratorFramework client;
    private final CandidateFactory factory;
    private final List<Subject.Candidate> candidates = new ArrayList<>();

    CuratorConnection(CuratorFramework client, CandidateFactory factory) {
        this.client = client;
        this.factory = factory;
    }

    @Override
    public Subject.Candidate candidate(String path, Runnable onGranted) {
        Subject.Candidate candidate = factory.apply(path, onGranted);
        candidates.add(candidate);
        return candidate;
    }

    @Override
    public long session() {
        try {
            return client.getZookeeperClient().getZooKeeper().getSessionId();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void leaveAll() {
        candidates.forEach(Subject.Candidate::close);
    }

    /** In reverse order, since otherwise each candidate would become leader before it is closed. */
    @Override
    public void close() {
        Collections.reverse(candidates);
        leaveAll();
        client.close();
    }
}
