package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.subject.Subject.Candidate;
import io.github.leaderelection.benchmarks.subject.Subject.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Many elections with one candidate each, all on the same connection. */
final class Elections {

    private final List<Candidate> candidates = new ArrayList<>();
    private final CountDownLatch led;

    /** Creates the candidates, which do not join yet. */
    Elections(Connection connection, String root, int count) {
        led = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            candidates.add(connection.candidate(path(root, i), led::countDown));
        }
    }

    /** Creates the nodes of the elections, unless they exist. */
    static void createPaths(AdminClient admin, String root, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            admin.createPath(path(root, i));
        }
    }

    static String path(String root, int election) {
        return root + "/e" + election;
    }

    /** Joins all elections, and returns the milliseconds until all are led. */
    double lead() throws InterruptedException, TimeoutException {
        long start = System.nanoTime();
        start();
        return awaitLed(start);
    }

    void start() {
        candidates.forEach(Candidate::start);
    }

    /** Waits until these candidates lead all elections, and returns the milliseconds since the given time. */
    double awaitLed(long startNanos) throws InterruptedException, TimeoutException {
        if (!led.await(AdminClient.TIMEOUT_NANOS, TimeUnit.NANOSECONDS)) {
            throw new TimeoutException(led.getCount() + " elections have no leader");
        }
        return (System.nanoTime() - startNanos) / 1e6;
    }
}
