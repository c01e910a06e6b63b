package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Member;
import java.util.ArrayList;
import java.util.List;

/** How the cost grows with the number of candidates of one election, and with that of elections on one connection. */
public final class Growth implements Scenario {

    private static final int WARM_UP = 10;

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        List<Result> results = new ArrayList<>();
        try (Witness witness = new Witness(servers.address())) {
            for (int candidates = 10; candidates <= mode.most(); candidates *= 10) {
                results.add(candidates(servers, witness, mode, candidates));
            }
            for (int elections = 10; elections <= 10 * mode.most(); elections *= 10) {
                results.addAll(elections(servers, witness, mode, elections));
            }
        }
        return results;
    }

    private static Result candidates(Servers servers, Witness witness, Mode mode, int count) throws Exception {
        var time = new Result("Growth: hand-over on step-down, 10 connections", "ms", count + " candidates");
        List<Field> fields = new ArrayList<>();
        try {
            for (Subject subject : withoutThreadsOfTheirOwn()) {
                String path = "/growth/" + subject.name().replace(' ', '-') + "-" + count;
                fields.add(new Field(subject, servers, witness, path, 10, count));
            }
            for (int i = -WARM_UP; i < mode.handOvers(); i++) {
                for (Field field : Scenario.shuffled(fields)) {
                    double millis = field.stepDown();
                    if (i >= 0) {
                        time.add(field.subject(), millis);
                    }
                }
            }
        } finally {
            fields.forEach(Field::close);
        }
        return time;
    }

    private static List<Result> elections(Servers servers, Witness witness, Mode mode, int count) throws Exception {
        String where = count + " elections";
        var led = new Result("Growth: first leadership per election, one connection", "ms", where);
        var packets = new Result(
                "Growth: packets received by the server per election, until it is led and all is quiet",
                "packets",
                where);
        for (Subject subject : withoutThreadsOfTheirOwn()) {
            Elections.make(witness, root(subject, count), count);
            // For the compiler; and it leaves elections behind that were there before.
            leadAll(subject, servers, count);
        }
        for (int round = 0; round < mode.rounds(); round++) {
            for (Subject subject : withoutThreadsOfTheirOwn()) {
                Led all = leadAll(subject, servers, count);
                led.add(subject.name(), all.millis() / count);
                packets.add(subject.name(), (double) all.packets() / count);
            }
        }
        return List.of(led, packets);
    }

    private record Led(double millis, long packets) {}

    private static Led leadAll(Subject subject, Servers servers, int count) throws Exception {
        try (Member member = subject.connect(servers.address(), USUAL_SESSION_MILLIS)) {
            Traffic before = servers.traffic();
            double millis = new Elections(member, root(subject, count), count).lead();
            Pauses.untilQuiet(servers);
            long packets = servers.traffic().since(before).received();
            member.leaveAll();
            Pauses.untilQuiet(servers);
            return new Led(millis, packets);
        }
    }

    private static String root(Subject subject, int count) {
        return "/growth/many-" + subject.name().replace(' ', '-') + "-" + count;
    }

    /** A thread or two per election end long before ten thousand. Each time in another order. */
    private static List<Subject> withoutThreadsOfTheirOwn() {
        return Scenario.shuffled(Subject.ALL).stream()
                .filter(subject -> !subject.name().equals("LeaderSelector")
                        && !subject.name().equals("LeaderInitiator"))
                .toList();
    }
}
