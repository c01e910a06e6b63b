package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How the cost grows with the number of candidates, and with the number of elections on one connection. */
public final class Growth implements Scenario {

    private static final int WARM_UP = 10;

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        List<Result> results = new ArrayList<>();
        try (AdminClient admin = new AdminClient(servers.address())) {
            for (int candidates = 10; candidates <= mode.maxCandidates(); candidates *= 10) {
                results.add(candidates(servers, admin, mode, candidates));
            }
            results.addAll(elections(servers, admin, mode));
        }
        return results;
    }

    private static Result candidates(Servers servers, AdminClient admin, Mode mode, int count) throws Exception {
        var time = new Result("Growth: hand-over on step-down, 10 connections", "ms", count + " candidates");
        List<CandidateGroup> groups = new ArrayList<>();
        try {
            for (Subject subject : withoutThreadPerElection()) {
                String path = "/growth/" + Scenario.nodeName(subject) + "-" + count;
                groups.add(new CandidateGroup(subject, servers, admin, path, 10, count));
            }
            for (int i = -WARM_UP; i < mode.handOvers(); i++) {
                for (CandidateGroup group : Scenario.shuffled(groups)) {
                    double millis = group.stepDown();
                    if (i >= 0) {
                        time.add(group.subject(), millis);
                    }
                }
            }
        } finally {
            groups.forEach(CandidateGroup::close);
        }
        return time;
    }

    /** The sizes take turns as well: otherwise a machine that is slow for a minute would look like growth. */
    private static List<Result> elections(Servers servers, AdminClient admin, Mode mode) throws Exception {
        List<Size> sizes = new ArrayList<>();
        List<Size> turns = new ArrayList<>();
        for (int count = 10; count <= 10 * mode.maxCandidates(); count *= 10) {
            Size size = new Size(count);
            sizes.add(size);
            turns.addAll(Collections.nCopies(2 * mode.rounds() - 1, size));
            for (Subject subject : withoutThreadPerElection()) {
                Elections.createPaths(admin, size.root(subject), count);
                // Warms up the JVMs, and leaves elections behind that have had a leader.
                size.leadAll(subject, servers);
            }
        }
        for (Size size : Scenario.shuffled(turns)) {
            for (Subject subject : withoutThreadPerElection()) {
                size.measure(subject, servers);
            }
        }
        return sizes.stream().flatMap(size -> size.results().stream()).toList();
    }

    /** A number of elections on one connection. */
    private static final class Size {
        private final int count;
        private final Result led;
        private final Result settled;
        private final Result packets;

        Size(int count) {
            this.count = count;
            String row = count + " elections";
            led = new Result("Growth: time per election until all are led, one connection", "ms", row);
            settled = new Result("Growth: time per election until all are led and all is quiet", "ms", row);
            packets = new Result(
                    "Growth: packets received by the server per election, until all are led and all is quiet",
                    "packets",
                    row);
        }

        List<Result> results() {
            return List.of(led, settled, packets);
        }

        String root(Subject subject) {
            return "/growth/many-" + Scenario.nodeName(subject) + "-" + count;
        }

        void measure(Subject subject, Servers servers) throws Exception {
            Led all = leadAll(subject, servers);
            led.add(subject.name(), all.millis() / count);
            settled.add(subject.name(), all.millisUntilQuiet() / count);
            packets.add(subject.name(), (double) all.packets() / count);
        }

        Led leadAll(Subject subject, Servers servers) throws Exception {
            try (Connection connection = subject.connect(servers.address(), TYPICAL_SESSION_MILLIS)) {
                var elections = new Elections(connection, root(subject), count);
                Traffic before = servers.traffic();
                long start = System.nanoTime();
                double millis = elections.lead();
                double millisUntilQuiet = (Pauses.untilQuiet(servers) - start) / 1e6;
                long packets = servers.traffic().since(before).received();
                connection.leaveAll();
                Pauses.untilQuiet(servers);
                return new Led(millis, millisUntilQuiet, packets);
            }
        }
    }

    private record Led(double millis, double millisUntilQuiet, long packets) {}

    /** In random order. The others need a thread or two per election, which is too much for ten thousand. */
    private static List<Subject> withoutThreadPerElection() {
        return Scenario.shuffled(Subjects.ALL).stream()
                .filter(subject -> !subject.name().equals("LeaderSelector")
                        && !subject.name().equals("LeaderInitiator"))
                .toList();
    }
}
