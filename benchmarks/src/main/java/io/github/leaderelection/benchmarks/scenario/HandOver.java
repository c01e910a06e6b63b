package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import io.github.leaderelection.benchmarks.subject.Subjects;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The time of a hand-over among three candidates, on step-down and on close. */
public final class HandOver implements Scenario {

    /** Short, so that several leases, each a third of it, pass quickly. */
    private static final int RESTED_SESSION_MILLIS = 2_000;

    @Override
    public String name() {
        return "hand-over";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        var stepDown = new Result("Hand-over on step-down, 3 candidates", "ms", servers.name());
        var close = new Result("Hand-over on close, 3 candidates", "ms", servers.name());
        var rested =
                new Result("Hand-over on step-down after three leases of rest, 3 candidates", "ms", servers.name());
        try (AdminClient admin = new AdminClient(servers.address())) {
            try (CandidateGroups groups = new CandidateGroups("/hand-over/", servers, admin, LONG_SESSION_MILLIS)) {
                for (int i = -mode.warmUp(); i < mode.repeats(); i++) {
                    for (CandidateGroup group : Scenario.shuffled(groups.all)) {
                        double steppedDown = group.stepDown();
                        double closed = group.closeLeader();
                        if (i >= 0) {
                            stepDown.add(group.subject(), steppedDown);
                            close.add(group.subject(), closed);
                        }
                    }
                }
            }
            try (CandidateGroups groups = new CandidateGroups("/rested/", servers, admin, RESTED_SESSION_MILLIS)) {
                for (int i = 0; i < mode.repeats() / 10; i++) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RESTED_SESSION_MILLIS));
                    for (CandidateGroup group : Scenario.shuffled(groups.all)) {
                        rested.add(group.subject(), group.stepDown());
                    }
                }
            }
        }
        return List.of(stepDown, close, rested);
    }

    /** Three candidates of each subject. */
    private static final class CandidateGroups implements AutoCloseable {
        final List<CandidateGroup> all = new ArrayList<>();

        CandidateGroups(String root, Servers servers, AdminClient admin, int sessionMillis) throws Exception {
            for (Subject subject : Subjects.ALL) {
                String path = root + Scenario.nodeName(subject);
                all.add(new CandidateGroup(subject, servers, admin, path, 3, 3, sessionMillis));
            }
        }

        @Override
        public void close() {
            all.forEach(CandidateGroup::close);
        }
    }
}
