package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.List;

/** From the leader's leaving until the next one of three candidates leads. */
public final class HandOver implements Scenario {

    @Override
    public String name() {
        return "hand-over";
    }

    @Override
    public List<Result> measure(Servers servers, Mode mode) throws Exception {
        var stepDown = new Result("Hand-over on step-down, 3 candidates", "ms", servers.name());
        var close = new Result("Hand-over on close, 3 candidates", "ms", servers.name());
        List<Field> fields = new ArrayList<>();
        try (Witness witness = new Witness(servers.address())) {
            for (Subject subject : Subject.ALL) {
                String path = "/hand-over/" + subject.name().replace(' ', '-');
                fields.add(new Field(subject, servers.address(), witness, path, 3, 3));
            }
            for (int i = -mode.warmUp(); i < mode.repeats(); i++) {
                for (Field field : Scenario.shuffled(fields)) {
                    double steppedDown = field.stepDown();
                    double closed = field.closeLeader();
                    if (i >= 0) {
                        stepDown.add(field.subject(), steppedDown);
                        close.add(field.subject(), closed);
                    }
                }
            }
        } finally {
            fields.forEach(Field::close);
        }
        return List.of(stepDown, close);
    }
}
