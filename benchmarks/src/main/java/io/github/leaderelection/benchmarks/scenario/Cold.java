package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.ArrayList;
import java.util.List;

/**
 * The first leadership and the first hand-over of new JVMs, in which the classes of the subject are not loaded and nothing is
 * compiled. Leader and follower are processes of their own.
 */
public final class Cold implements Scenario {

    /** Longer than a lease, which is a third of the session timeout. */
    private static final int REST_MILLIS = TYPICAL_SESSION_MILLIS / 2;

    /** Before each measurement, so that background work of the previous step does not disturb it. */
    private static final int PAUSE_MILLIS = 200;

    @Override
    public String name() {
        return "cold";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        var first = new Result("Cold JVM: first leadership, path exists", "ms", servers.name());
        var handOver = new Result(
                "Cold JVM: first hand-over on close, after a rest of %d s".formatted(REST_MILLIS / 1_000),
                "ms",
                servers.name());
        try (AdminClient admin = new AdminClient(servers.address())) {
            for (Subject subject : Subjects.ALL) {
                warmUp(subject, servers, admin, mode.repeats());
            }
            for (int round = 0; round < mode.coldRounds(); round++) {
                measure(servers, admin, first, handOver);
            }
        }
        return List.of(first, handOver);
    }

    /** Warms up the server, and leaves an election behind that has had a leader: only the candidates are cold. */
    private static void warmUp(Subject subject, Servers servers, AdminClient admin, int handOvers) throws Exception {
        try (CandidateGroup group = new CandidateGroup(subject, servers, admin, path(subject), 2, 2)) {
            for (int i = 0; i < handOvers; i++) {
                group.stepDown();
            }
        }
    }

    private static String path(Subject subject) {
        return "/cold/" + Scenario.nodeName(subject);
    }

    /** All subjects start and rest at the same time, but only one at a time is measured. */
    private static void measure(Servers servers, AdminClient admin, Result first, Result handOver) throws Exception {
        List<Pair> pairs = new ArrayList<>();
        try {
            for (Subject subject : Scenario.shuffled(Subjects.ALL)) {
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
                // An orderly end, so that the next round need not wait for a lease.
                pair.follower.leave();
                admin.awaitCandidates(path(pair.subject), 0);
            }
        } finally {
            pairs.forEach(Pair::close);
        }
    }

    /** The two processes of one subject. */
    private static final class Pair {
        final Subject subject;
        final CandidateProcess leader;
        final CandidateProcess follower;

        Pair(Subject subject, String address) {
            this.subject = subject;
            this.leader = new CandidateProcess(subject, address, TYPICAL_SESSION_MILLIS, path(subject));
            this.follower = new CandidateProcess(subject, address, TYPICAL_SESSION_MILLIS, path(subject));
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
                throw new IllegalStateException(
                        "The processes do not share a monotonic clock: " + startNanos + ", " + endNanos);
            }
            return (endNanos - startNanos) / 1e6;
        }

        void close() {
            leader.close();
            follower.close();
        }
    }
}
