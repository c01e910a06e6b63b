package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * The first leadership and the first hand-over in new processes, where classes are not loaded and nothing is compiled, as in
 * an application that has just started.
 */
public final class Cold implements Scenario {

    /** Longer than a lease, which is a third of the session timeout. */
    private static final int REST_MILLIS = USUAL_SESSION_MILLIS / 2;

    /** Between two measurements, and before the first: until what goes on in the background has ended. */
    private static final int PAUSE_MILLIS = 200;

    @Override
    public String name() {
        return "cold";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        var first = new Result("Cold: first leadership in a new process, path exists", "ms", servers.name());
        var handOver = new Result(
                "Cold: first hand-over on close between two new processes, after a rest of %d s"
                        .formatted(REST_MILLIS / 1_000),
                "ms",
                servers.name());
        try (AdminClient admin = new AdminClient(servers.address())) {
            for (Subject subject : Subject.ALL) {
                warmUp(subject, servers, admin, mode.repeats());
            }
            for (int round = 0; round < mode.coldRounds(); round++) {
                measure(servers, admin, first, handOver);
            }
        }
        return List.of(first, handOver);
    }

    /** Only the candidates are to be cold: servers have been running for a long time when an application starts. */
    private static void warmUp(Subject subject, Servers servers, AdminClient admin, int handOvers) throws Exception {
        try (CandidateGroup group = new CandidateGroup(subject, servers, admin, path(subject), 2, 2)) {
            for (int i = 0; i < handOvers; i++) {
                group.stepDown();
            }
        }
    }

    private static String path(Subject subject) {
        return "/cold/" + subject.name().replace(' ', '-');
    }

    /** All start and rest at the same time; one after the other does what is measured. */
    private static void measure(Servers servers, AdminClient admin, Result first, Result handOver) throws Exception {
        List<Pair> pairs = new ArrayList<>();
        try {
            for (Subject subject : Scenario.shuffled(Subject.ALL)) {
                admin.awaitCandidates(path(subject), 0);
                pairs.add(new Pair(subject, servers.address()));
            }
            for (Pair pair : pairs) {
                pair.leader.awaitConnected();
                pair.follower.awaitConnected();
            }
            for (Pair pair : Scenario.shuffled(pairs)) {
                Pauses.millis(PAUSE_MILLIS);
                first.add(pair.subject.name(), pair.lead());
            }
            for (Pair pair : pairs) {
                pair.follower.join();
                pair.follower.awaitJoined();
                admin.awaitCandidates(path(pair.subject), 2);
            }
            Pauses.millis(REST_MILLIS);
            for (Pair pair : Scenario.shuffled(pairs)) {
                Pauses.millis(PAUSE_MILLIS);
                handOver.add(pair.subject.name(), pair.handOver());
            }
            for (Pair pair : pairs) {
                // In good order, so that nothing of this round is left for the next one.
                pair.follower.leave();
                admin.awaitCandidates(path(pair.subject), 0);
            }
        } finally {
            pairs.forEach(Pair::close);
        }
    }

    /** Two candidates in processes of their own. */
    private static final class Pair {
        final Subject subject;
        final CandidateProcess leader;
        final CandidateProcess follower;

        Pair(Subject subject, String address) {
            this.subject = subject;
            this.leader = new CandidateProcess(subject, address, USUAL_SESSION_MILLIS, path(subject));
            this.follower = new CandidateProcess(subject, address, USUAL_SESSION_MILLIS, path(subject));
        }

        double lead() throws Exception {
            leader.join();
            return millis(leader.awaitJoined(), leader.awaitGranted());
        }

        double handOver() throws Exception {
            return millis(leader.leave(), follower.awaitGranted());
        }

        private double millis(long startNanos, long endNanos) {
            if (endNanos < startNanos) {
                throw new IllegalStateException("The clocks of two processes differ: " + startNanos + ", " + endNanos);
            }
            return (endNanos - startNanos) / 1e6;
        }

        void close() {
            leader.close();
            follower.close();
        }
    }
}
