package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** From the leader's leaving until the next one of three candidates leads. */
public final class HandOver implements Scenario {

    /** Short, so that a lease is over soon: it is a third of it. */
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
                new Result("Hand-over on step-down after a lease without an event, 3 candidates", "ms", servers.name());
        try (Witness witness = new Witness(servers.address())) {
            try (Fields fields = new Fields("/hand-over/", servers, witness, SESSION_MILLIS)) {
                for (int i = -mode.warmUp(); i < mode.repeats(); i++) {
                    for (Field field : Scenario.shuffled(fields.all)) {
                        double steppedDown = field.stepDown();
                        double closed = field.closeLeader();
                        if (i >= 0) {
                            stepDown.add(field.subject(), steppedDown);
                            close.add(field.subject(), closed);
                        }
                    }
                }
            }
            try (Fields fields = new Fields("/rested/", servers, witness, RESTED_SESSION_MILLIS)) {
                for (int i = 0; i < mode.repeats() / 10; i++) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RESTED_SESSION_MILLIS / 3));
                    for (Field field : Scenario.shuffled(fields.all)) {
                        rested.add(field.subject(), field.stepDown());
                    }
                }
            }
        }
        return List.of(stepDown, close, rested);
    }

    /** Three candidates of each kind. */
    private static final class Fields implements AutoCloseable {
        final List<Field> all = new ArrayList<>();

        Fields(String root, Servers servers, Witness witness, int sessionMillis) throws Exception {
            for (Subject subject : Subject.ALL) {
                String path = root + subject.name().replace(' ', '-');
                all.add(new Field(subject, servers, witness, path, 3, 3, sessionMillis));
            }
        }

        @Override
        public void close() {
            all.forEach(Field::close);
        }
    }
}
