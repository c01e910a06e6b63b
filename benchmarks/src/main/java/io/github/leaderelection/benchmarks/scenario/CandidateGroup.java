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

/** The candidates of one election, all of one kind, on some connections of their own, which are spread over the servers. */
final class CandidateGroup implements AutoCloseable {

    private record Led(int who, long nanos) {}

    private final String subject;
    private final AdminClient admin;
    private final String path;
    private final List<Connection> connections = new ArrayList<>();
    private final List<Candidate> candidates = new ArrayList<>();
    private final BlockingQueue<Led> led = new LinkedBlockingQueue<>();
    private int leader;

    /** Returns once the first one leads and the others wait. */
    CandidateGroup(
            Subject subject, Servers servers, AdminClient admin, String path, int connectionCount, int candidateCount)
            throws Exception {
        this(subject, servers, admin, path, connectionCount, candidateCount, Scenario.SESSION_MILLIS);
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
                leader = nextLed().who();
            }
            if (i == 0 || candidateCount <= 20 || i % 20 == 0 || i == candidateCount - 1) {
                admin.awaitCandidates(path, i + 1);
            }
        }
    }

    String subject() {
        return subject;
    }

    private Candidate candidate(int who) {
        return connections
                .get(who % connections.size())
                .candidate(path, () -> led.add(new Led(who, System.nanoTime())));
    }

    private Led nextLed() throws InterruptedException, TimeoutException {
        Led next = led.poll(AdminClient.TIMEOUT_NANOS, TimeUnit.NANOSECONDS);
        if (next == null) {
            throw new TimeoutException("Nobody leads " + path);
        }
        return next;
    }

    /** Milliseconds from the moment at which the leader is told to step down until another one leads. */
    double stepDown() throws Exception {
        double millis = handOver(Candidate::stepDown);
        admin.awaitCandidates(path, candidates.size());
        return millis;
    }

    /** The same, but the leader closes for good; another candidate takes its place at the end of the queue. */
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
        Led next = nextLed();
        if (next.who() == from || !led.isEmpty()) {
            throw new IllegalStateException("Not handed over from " + from + " to one other: " + next + ", " + led);
        }
        leader = next.who();
        return (next.nanos() - start) / 1e6;
    }

    @Override
    public void close() {
        Connection.closeAll(connections);
    }
}
