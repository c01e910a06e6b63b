package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Candidate;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The candidates of one election, all of the same subject, on several connections that are spread over the servers. */
final class CandidateGroup implements AutoCloseable {

    private record Granted(int candidate, long nanos) {}

    private final String subject;
    private final AdminClient admin;
    private final String path;
    private final List<Connection> connections = new ArrayList<>();
    private final List<Candidate> candidates = new ArrayList<>();
    private final BlockingQueue<Granted> granted = new LinkedBlockingQueue<>();
    private int leader;

    /** Returns when the first candidate leads and the others wait. */
    CandidateGroup(
            Subject subject, Servers servers, AdminClient admin, String path, int connectionCount, int candidateCount)
            throws Exception {
        this(subject, servers, admin, path, connectionCount, candidateCount, Scenario.LONG_SESSION_MILLIS);
    }

    CandidateGroup(
            Subject subject,
            Servers servers,
            AdminClient admin,
            String path,
            int connectionCount,
            int candidateCount,
            int sessionMillis)
            throws Exception {
        this.subject = subject.name();
        this.admin = admin;
        this.path = admin.createPath(path);
        for (int i = 0; i < connectionCount; i++) {
            connections.add(subject.connect(servers.address(i), sessionMillis));
        }
        for (int i = 0; i < candidateCount; i++) {
            candidates.add(candidate(i));
            candidates.get(i).start();
            if (i == 0) {
                leader = nextGranted().candidate();
            }
            if (i == 0 || candidateCount <= 20 || i % 20 == 0 || i == candidateCount - 1) {
                admin.awaitCandidates(path, i + 1);
            }
        }
    }

    String subject() {
        return subject;
    }

    private Candidate candidate(int index) {
        return connections
                .get(index % connections.size())
                .candidate(path, () -> granted.add(new Granted(index, System.nanoTime())));
    }

    private Granted nextGranted() throws InterruptedException, TimeoutException {
        Granted next = granted.poll(AdminClient.TIMEOUT_NANOS, TimeUnit.NANOSECONDS);
        if (next == null) {
            throw new TimeoutException("No candidate leads " + path);
        }
        return next;
    }

    /** The leader steps down. Returns the milliseconds from the call until another candidate leads. */
    double stepDown() throws Exception {
        double millis = handOver(Candidate::stepDown);
        admin.awaitCandidates(path, candidates.size());
        return millis;
    }

    /** The leader closes, and a new candidate joins at the end of the queue. Returns the milliseconds as {@link #stepDown}. */
    double closeLeader() throws Exception {
        int gone = leader;
        double millis = handOver(Candidate::close);
        admin.awaitCandidates(path, candidates.size() - 1);
        candidates.set(gone, candidate(gone));
        candidates.get(gone).start();
        admin.awaitCandidates(path, candidates.size());
        return millis;
    }

    private double handOver(Consumer<Candidate> how) throws InterruptedException, TimeoutException {
        int from = leader;
        long start = System.nanoTime();
        how.accept(candidates.get(from));
        Granted next = nextGranted();
        if (next.candidate() == from || !granted.isEmpty()) {
            throw new IllegalStateException(
                    "Candidate " + from + " did not hand over to exactly one other: " + next + ", " + granted);
        }
        leader = next.candidate();
        return (next.nanos() - start) / 1e6;
    }

    @Override
    public void close() {
        Connection.closeAll(connections);
    }
}
