package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.List;

/** The packets that the server receives for single operations, until all watches are set. */
public final class Requests implements Scenario {

    /** An operation that sends requests. */
    private interface Operation {
        void run() throws Exception;
    }

    @Override
    public String name() {
        return "requests";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        String table = "Packets received by the server until all is quiet, median";
        var start = new Result(table, "packets", "first candidate, path exists");
        var join = new Result(table, "packets", "second candidate");
        var stepDown = new Result(table, "packets", "step-down, 3 candidates");
        int repeats = 2 * mode.rounds() - 1;
        try (AdminClient admin = new AdminClient(servers.address())) {
            for (Subject subject : Scenario.shuffled(Subjects.ALL)) {
                String name = subject.name();
                String path = admin.createPath("/requests/" + Scenario.nodeName(subject));
                try (Connection first = subject.connect(servers.address(), LONG_SESSION_MILLIS);
                        Connection second = subject.connect(servers.address(), LONG_SESSION_MILLIS)) {
                    for (int i = 0; i <= repeats; i++) {
                        var leader = first.candidate(path, () -> {});
                        var follower = second.candidate(path, () -> {});
                        double started = count(servers, admin, () -> {
                            leader.start();
                            admin.awaitCandidates(path, 1);
                        });
                        double joined = count(servers, admin, () -> {
                            follower.start();
                            admin.awaitCandidates(path, 2);
                        });
                        follower.close();
                        admin.awaitCandidates(path, 1);
                        leader.close();
                        admin.awaitCandidates(path, 0);
                        if (i > 0) {
                            start.add(name, started);
                            join.add(name, joined);
                        }
                    }
                }
                try (CandidateGroup group = new CandidateGroup(subject, servers, admin, path, 3, 3)) {
                    for (int i = 0; i < repeats; i++) {
                        stepDown.add(name, count(servers, admin, group::stepDown));
                    }
                }
            }
        }
        return List.of(start, join, stepDown);
    }

    private static double count(Servers servers, AdminClient admin, Operation operation) throws Exception {
        Traffic before = servers.traffic();
        long own = admin.requests();
        operation.run();
        Pauses.untilQuiet(servers);
        // Waiting for quiet sends no counted packets. Renewals and pings may be among the packets: hence the median.
        return servers.traffic().since(before).received() - (admin.requests() - own);
    }
}
