package io.github.leaderelection.benchmarks.subject;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.curator.framework.CuratorFramework;

/** A process that elects by Curator, or by something made of it. */
final class CuratorConnection implements Subject.Connection {

    /** Makes a candidate, given a path and whom to tell. */
    interface Maker extends BiFunction<String, Runnable, Subject.Candidate> {}

    private final CuratorFramework client;
    private final Maker maker;
    private final List<Subject.Candidate> candidates = new ArrayList<>();

    CuratorConnection(CuratorFramework client, Maker maker) {
        this.client = client;
        this.maker = maker;
    }

    @Override
    public Subject.Candidate candidate(String path, Runnable onGranted) {
        Subject.Candidate candidate = maker.apply(path, onGranted);
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

    /** From the last to the first, lest everybody lead once; whoever is left behind would go on trying. */
    @Override
    public void close() {
        Collections.reverse(candidates);
        leaveAll();
        client.close();
    }
}
