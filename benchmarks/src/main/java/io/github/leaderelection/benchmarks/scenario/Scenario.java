package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A measurement of all subjects. They take turns in random order, so that disturbances affect all alike. */
public interface Scenario {

    /** Long, so that sessions do not expire and pings are rare. */
    int LONG_SESSION_MILLIS = 30_000;

    /** As in practice, so that pings and renewals are as frequent as there. */
    int TYPICAL_SESSION_MILLIS = 10_000;

    String name();

    List<Result> measure(Servers servers, Mode mode) throws Exception;

    /** The name of a subject as part of a path. */
    static String nodeName(Subject subject) {
        return subject.name().replace(' ', '-');
    }

    static <T> List<T> shuffled(List<T> inOrder) {
        List<T> shuffled = new ArrayList<>(inOrder);
        Collections.shuffle(shuffled);
        return shuffled;
    }
}
