package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.report.Result;
import io.github.leaderelection.benchmarks.server.Servers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Something that all subjects do, one after the other in an order that changes, so that noise hits all alike. */
public interface Scenario {

    /** Session timeouts that nobody reaches, and pings that hardly anybody sees. */
    int SESSION_MILLIS = 30_000;

    /** As they are in practice, so that pings and renewals are as usual. */
    int USUAL_SESSION_MILLIS = 10_000;

    String name();

    List<Result> measure(Servers servers, Mode mode) throws Exception;

    static <T> List<T> shuffled(List<T> inOrder) {
        List<T> shuffled = new ArrayList<>(inOrder);
        Collections.shuffle(shuffled);
        return shuffled;
    }
}
