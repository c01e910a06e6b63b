package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The time from the end of the leader's process until the next candidate leads, in session timeouts. */
public final class Crash implements Scenario {

    private static final int SESSION_MILLIS = 6_000;

    @Override
    public String name() {
        return "crash";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        String table = "Crash fail-over, session timeout " + SESSION_MILLIS / 1_000 + " s";
        var already = new Result(table, "× session timeout", "successor waiting at the crash");
        var late = new Result(table, "× session timeout", "successor joining 0.8 session timeouts later");
        try (AdminClient admin = new AdminClient(servers.address())) {
            for (int round = 0; round < mode.rounds(); round++) {
                crashAll(servers, admin, already, late);
            }
        }
        return List.of(already, late);
    }

    /** All subjects at the same time, because almost all of it is waiting. */
    private static void crashAll(Servers servers, AdminClient admin, Result already, Result late) throws Exception {
        List<FailOver> waiting = new ArrayList<>();
        List<FailOver> joining = new ArrayList<>();
        try {
            for (Subject subject : Scenario.shuffled(Subject.ALL)) {
                waiting.add(new FailOver(subject, servers.address(), admin, "/crash/waiting/"));
                joining.add(new FailOver(subject, servers.address(), admin, "/crash/joining/"));
            }
            for (FailOver each : waiting) {
                admin.awaitCandidates(each.path, 1);
                each.join();
                admin.awaitCandidates(each.path, 2);
            }
            for (FailOver each : joining) {
                admin.awaitCandidates(each.path, 1);
            }
            Pauses.millis(1_500);
            waiting.forEach(FailOver::crash);
            joining.forEach(FailOver::crash);
            Pauses.millis((long) (0.8 * SESSION_MILLIS));
            joining.forEach(FailOver::join);
            for (FailOver each : waiting) {
                already.add(each.subject.name(), each.await() / SESSION_MILLIS);
            }
            for (FailOver each : joining) {
                late.add(each.subject.name(), each.await() / SESSION_MILLIS);
            }
        } finally {
            List<FailOver> all =
                    Stream.concat(waiting.stream(), joining.stream()).toList();
            all.forEach(each -> each.leader.close());
            Connection.closeAll(all.stream().map(each -> each.successor).toList());
        }
    }

    private static final class FailOver {
        final Subject subject;
        final String path;
        private final CandidateProcess leader;
        private final Connection successor;
        private final CompletableFuture<Long> led = new CompletableFuture<>();
        private long crashed;

        FailOver(Subject subject, String address, AdminClient admin, String root) throws Exception {
            this.subject = subject;
            this.path = admin.createPath(root + Scenario.nodeName(subject));
            this.successor = subject.connect(address, SESSION_MILLIS);
            this.leader = new CandidateProcess(subject, address, SESSION_MILLIS, path);
            leader.join();
        }

        void join() {
            successor.candidate(path, () -> led.complete(System.nanoTime())).start();
        }

        void crash() {
            crashed = System.nanoTime();
            leader.close();
        }

        double await() throws Exception {
            return (led.get(AdminClient.TIMEOUT_NANOS, TimeUnit.NANOSECONDS) - crashed) / 1e6;
        }
    }
}
