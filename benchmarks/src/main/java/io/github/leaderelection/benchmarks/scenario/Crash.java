package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Link;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The time from the failure of the leader's process until the next candidate leads, in session timeouts. */
public final class Crash implements Scenario {

    private static final int SESSION_MILLIS = 6_000;
    private static final double LATE = 0.8;

    /** What happens to the leader. */
    private enum Failure {
        KILLED,
        FROZEN,
        CUT_OFF
    }

    /** @param leaseMillis 0: the default */
    private record Case(String row, Failure failure, int sessionMillis, int leaseMillis, boolean joinsLate) {}

    private static final List<Case> CASES = List.of(
            new Case("leader killed", Failure.KILLED, SESSION_MILLIS, 0, false),
            new Case("leader frozen", Failure.FROZEN, SESSION_MILLIS, 0, false),
            new Case("leader cut off", Failure.CUT_OFF, SESSION_MILLIS, 0, false),
            new Case(
                    "leader killed, session timeout 10 s, ours with a lease of 1 s",
                    Failure.KILLED,
                    10_000,
                    1_000,
                    false),
            new Case(
                    "leader killed, successor joining 0.8 session timeouts later",
                    Failure.KILLED,
                    SESSION_MILLIS,
                    0,
                    true));

    @Override
    public String name() {
        return "crash";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        List<Result> results = new ArrayList<>();
        for (Case each : CASES) {
            String table = "Fail-over, session timeout " + SESSION_MILLIS / 1_000 + " s";
            results.add(new Result(table, "× session timeout", each.row()));
        }
        try (AdminClient admin = new AdminClient(servers.address())) {
            for (int round = 0; round < mode.rounds(); round++) {
                for (int i = 0; i < CASES.size(); i++) {
                    failAll(servers, admin, CASES.get(i), results.get(i));
                }
            }
        }
        return results;
    }

    /** All subjects at the same time, because almost all of it is waiting. */
    private static void failAll(Servers servers, AdminClient admin, Case what, Result result) throws Exception {
        List<FailOver> failOvers = new ArrayList<>();
        try {
            for (Subject subject : Scenario.shuffled(Subjects.ALL)) {
                failOvers.add(new FailOver(subject, servers.address(), admin, what));
            }
            for (FailOver each : failOvers) {
                admin.awaitCandidates(each.path, 1);
                if (!what.joinsLate()) {
                    each.join();
                    admin.awaitCandidates(each.path, 2);
                }
            }
            Pauses.millis(1_500);
            failOvers.forEach(FailOver::fail);
            if (what.joinsLate()) {
                Pauses.millis((long) (LATE * what.sessionMillis()));
                failOvers.forEach(FailOver::join);
            }
            for (FailOver each : failOvers) {
                result.add(each.subject.name(), each.await() / what.sessionMillis());
            }
        } finally {
            failOvers.forEach(FailOver::closeLeader);
            Connection.closeAll(failOvers.stream().map(each -> each.successor).toList());
        }
    }

    private static final class FailOver {
        final Subject subject;
        final String path;
        private final Case what;
        private final Link link;
        private final CandidateProcess leader;
        private final Connection successor;
        private final CompletableFuture<Long> led = new CompletableFuture<>();
        private long failed;

        FailOver(Subject subject, String address, AdminClient admin, Case what) throws Exception {
            this.subject = subject;
            this.what = what;
            this.path = admin.createPath("/crash/" + CASES.indexOf(what) + "/" + Scenario.nodeName(subject));
            this.successor = subject.withLease(what.leaseMillis()).connect(address, what.sessionMillis());
            this.link = new Link(address);
            this.leader = new CandidateProcess(subject, link.address(), what.sessionMillis(), what.leaseMillis(), path);
            leader.join();
        }

        void join() {
            successor.candidate(path, () -> led.complete(System.nanoTime())).start();
        }

        void fail() {
            failed = System.nanoTime();
            switch (what.failure()) {
                case KILLED -> leader.close();
                case FROZEN -> leader.freeze();
                case CUT_OFF -> link.loseEverything();
            }
        }

        double await() throws Exception {
            return (led.get(AdminClient.TIMEOUT_NANOS, TimeUnit.NANOSECONDS) - failed) / 1e6;
        }

        void closeLeader() {
            leader.close();
            link.close();
        }
    }
}
