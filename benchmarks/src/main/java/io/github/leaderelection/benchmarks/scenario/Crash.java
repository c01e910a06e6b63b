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

/** From the death of the leader's process until the next one leads, as a multiple of the session timeout. */
public final class Crash implements Scenario {

    private static final int SESSION_MILLIS = 6_000;

    @Override
    public String name() {
        return "crash";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        String what = "Crash fail-over, session timeout " + SESSION_MILLIS / 1_000 + " s";
        var observed = new Result(what, "× session timeout", "the next in line was there");
        var late = new Result(what, "× session timeout", "it came after 0.8 session timeouts");
        try (AdminClient admin = new AdminClient(servers.address())) {
            for (int round = 0; round < mode.rounds(); round++) {
                crashAll(servers, admin, observed, late);
            }
        }
        return List.of(observed, late);
    }

    /** All at the same time: it is mostly waiting. */
    private static void crashAll(Servers servers, AdminClient admin, Result observed, Result late) throws Exception {
        List<Case> inTime = new ArrayList<>();
        List<Case> tooLate = new ArrayList<>();
        try {
            for (Subject subject : Scenario.shuffled(Subject.ALL)) {
                inTime.add(new Case(subject, servers.address(), admin, "/crash/in-time/"));
                tooLate.add(new Case(subject, servers.address(), admin, "/crash/too-late/"));
            }
            for (Case each : inTime) {
                admin.awaitCandidates(each.path, 1);
                each.join();
                admin.awaitCandidates(each.path, 2);
            }
            for (Case each : tooLate) {
                admin.awaitCandidates(each.path, 1);
            }
            Pauses.millis(1_500);
            inTime.forEach(Case::crash);
            tooLate.forEach(Case::crash);
            Pauses.millis((long) (0.8 * SESSION_MILLIS));
            tooLate.forEach(Case::join);
            for (Case each : inTime) {
                observed.add(each.subject.name(), each.await() / SESSION_MILLIS);
            }
            for (Case each : tooLate) {
                late.add(each.subject.name(), each.await() / SESSION_MILLIS);
            }
        } finally {
            List<Case> all = Stream.concat(inTime.stream(), tooLate.stream()).toList();
            all.forEach(each -> each.doomed.close());
            Connection.closeAll(all.stream().map(each -> each.heir).toList());
        }
    }

    private static final class Case {
        final Subject subject;
        final String path;
        private final CandidateProcess doomed;
        private final Connection heir;
        private final CompletableFuture<Long> led = new CompletableFuture<>();
        private long crashed;

        Case(Subject subject, String address, AdminClient admin, String root) throws Exception {
            this.subject = subject;
            this.path = admin.createPath(root + subject.name().replace(' ', '-'));
            this.heir = subject.connect(address, SESSION_MILLIS);
            this.doomed = new CandidateProcess(subject, address, SESSION_MILLIS, path);
            doomed.join();
        }

        void join() {
            heir.candidate(path, () -> led.complete(System.nanoTime())).start();
        }

        void crash() {
            crashed = System.nanoTime();
            doomed.close();
        }

        double await() throws Exception {
            return (led.get(AdminClient.TIMEOUT_NANOS, TimeUnit.NANOSECONDS) - crashed) / 1e6;
        }
    }
}
