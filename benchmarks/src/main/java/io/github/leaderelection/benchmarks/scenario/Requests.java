package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Member;
import java.util.List;

/** What single steps cost in packets that the server receives; until all have set their watches. */
public final class Requests implements Scenario {

    /** Something that causes requests. */
    private interface Step {
        void take() throws Exception;
    }

    @Override
    public String name() {
        return "requests";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        String what = "Packets received by the server until all is quiet, median";
        var start = new Result(what, "packets", "first candidate, path exists");
        var join = new Result(what, "packets", "second candidate");
        var stepDown = new Result(what, "packets", "step-down, 3 candidates");
        int repeats = 2 * mode.rounds() - 1;
        try (Witness witness = new Witness(servers.address())) {
            for (Subject subject : Scenario.shuffled(Subject.ALL)) {
                String name = subject.name();
                String path = witness.make("/requests/" + name.replace(' ', '-'));
                try (Member first = subject.connect(servers.address(), SESSION_MILLIS);
                        Member second = subject.connect(servers.address(), SESSION_MILLIS)) {
                    for (int i = 0; i <= repeats; i++) {
                        var leader = first.contender(path, () -> {});
                        var follower = second.contender(path, () -> {});
                        double started = count(servers, witness, () -> {
                            leader.start();
                            witness.awaitCandidates(path, 1);
                        });
                        double joined = count(servers, witness, () -> {
                            follower.start();
                            witness.awaitCandidates(path, 2);
                        });
                        follower.close();
                        witness.awaitCandidates(path, 1);
                        leader.close();
                        witness.awaitCandidates(path, 0);
                        if (i > 0) {
                            start.add(name, started);
                            join.add(name, joined);
                        }
                    }
                }
                try (Field field = new Field(subject, servers, witness, path, 3, 3)) {
                    for (int i = 0; i < repeats; i++) {
                        stepDown.add(name, count(servers, witness, field::stepDown));
                    }
                }
            }
        }
        return List.of(start, join, stepDown);
    }

    private static double count(Servers servers, Witness witness, Step step) throws Exception {
        Traffic before = servers.traffic();
        long own = witness.requests();
        step.take();
        Pauses.untilQuiet(servers);
        // Looking whether all is quiet counts as nothing. A renewal or a ping may have come by: hence the median.
        return servers.traffic().since(before).received() - (witness.requests() - own);
    }
}
