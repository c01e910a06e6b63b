package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.List;

/** Hand-overs among many candidates on twenty connections, which must not cost more than among few. */
public final class Herd implements Scenario {

    private static final int CONNECTIONS = 20;

    @Override
    public String name() {
        return "herd";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        Results few = new Results("20 candidates");
        Results many = new Results("200 candidates");
        try (AdminClient admin = new AdminClient(servers.address())) {
            for (int round = 0; round < mode.rounds(); round++) {
                for (Subject subject : Scenario.shuffled(Subjects.ALL)) {
                    measure(subject, servers, admin, CONNECTIONS, mode.handOvers(), few);
                    measure(subject, servers, admin, 200, mode.handOvers(), many);
                }
            }
        }
        return List.of(
                few.time, many.time, few.received, many.received, few.sent, many.sent, few.watches, many.watches);
    }

    /** One subject at a time, because the server counts the packets of all connections together. */
    private static void measure(
            Subject subject, Servers servers, AdminClient admin, int candidates, int handOvers, Results results)
            throws Exception {
        String name = subject.name();
        String path = "/herd/" + Scenario.nodeName(subject) + "-" + candidates;
        try (CandidateGroup group = new CandidateGroup(subject, servers, admin, path, CONNECTIONS, candidates)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                group.stepDown();
            }
            Pauses.untilQuiet(servers);
            Traffic before = servers.traffic();
            long ownBefore = admin.requests();
            for (int i = 0; i < handOvers; i++) {
                results.time.add(name, group.stepDown());
            }
            // Requests that a new leader defers belong to the last hand-over, too.
            Pauses.millis(50);
            Traffic traffic = servers.traffic().since(before);
            long own = admin.requests() - ownBefore;
            results.received.add(name, (double) (traffic.received() - own) / handOvers);
            results.sent.add(name, (double) (traffic.sent() - own) / handOvers);
            results.watches.add(name, (double) servers.watches());
        }
    }

    private static final class Results {
        final Result time;
        final Result received;
        final Result sent;
        final Result watches;

        Results(String row) {
            time = new Result("Herd: hand-over on step-down, 20 connections", "ms", row);
            received = new Result("Herd: packets received by the server per hand-over", "packets", row);
            sent = new Result("Herd: packets sent by the server per hand-over", "packets", row);
            watches = new Result("Herd: watches at the server", "watches", row);
        }
    }
}
