package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Candidate;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** The time from the start of the only candidate until it leads. The connection exists before. */
public final class FirstLeadership implements Scenario {

    /** A younger root does not prove to our elections that a new path below it never had a leader. */
    private static final long OLD_MILLIS = 3_000;

    private static final int SESSION_MILLIS = 2_000;

    /** The connections of one subject, one to each server. */
    private record SubjectConnections(Subject subject, List<Connection> connections) {

        static SubjectConnections of(Subject subject, Servers servers) {
            List<Connection> connections = IntStream.range(0, servers.count())
                    .mapToObj(i -> subject.connect(servers.address(i), SESSION_MILLIS))
                    .toList();
            return new SubjectConnections(subject, connections);
        }

        Connection connection(int round) {
            return connections.get(round % connections.size());
        }

        void close() {
            Connection.closeAll(connections);
        }
    }

    @Override
    public String name() {
        return "first";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        var existing = new Result("First leadership, path exists", "ms", servers.name());
        var absent = new Result("First leadership, new path under an old root", "ms", servers.name());
        List<SubjectConnections> all = new ArrayList<>();
        try (AdminClient admin = new AdminClient(servers.address())) {
            for (Subject subject : Subjects.ALL) {
                all.add(SubjectConnections.of(subject, servers));
                admin.createPath("/first/" + Scenario.nodeName(subject));
                admin.createPath("/new/" + Scenario.nodeName(subject));
            }
            while (admin.age("/new/ours") < OLD_MILLIS) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
            for (int round = 0; round < mode.warmUp() + mode.repeats(); round++) {
                for (SubjectConnections each : Scenario.shuffled(all)) {
                    Connection connection = each.connection(round);
                    String node = Scenario.nodeName(each.subject());
                    double atExisting = lead(connection, "/first/" + node, admin);
                    double atNew = lead(connection, "/new/" + node + "/" + round, admin);
                    if (round >= mode.warmUp()) {
                        existing.add(each.subject().name(), atExisting);
                        absent.add(each.subject().name(), atNew);
                    }
                }
            }
        } finally {
            all.forEach(SubjectConnections::close);
        }
        return List.of(existing, absent);
    }

    private static double lead(Connection connection, String path, AdminClient admin) throws Exception {
        var led = new CompletableFuture<Long>();
        Candidate candidate = connection.candidate(path, () -> led.complete(System.nanoTime()));
        long start = System.nanoTime();
        candidate.start();
        double millis = (led.get(AdminClient.TIMEOUT_NANOS, TimeUnit.NANOSECONDS) - start) / 1e6;
        candidate.close();
        admin.awaitCandidates(path, 0);
        return millis;
    }
}
