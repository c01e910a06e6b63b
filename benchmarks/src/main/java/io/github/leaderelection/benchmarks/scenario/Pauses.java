package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Waits. */
final class Pauses {

    private static final int MILLIS = 200;
    /** Renewals and pings go on, so it is never none for sure. */
    private static final int HARDLY_ANY = 5;

    private Pauses() {}

    /** Until the server is asked hardly anything any more. */
    static void untilQuiet(Servers servers) throws TimeoutException {
        long deadline = System.nanoTime() + Witness.PATIENCE;
        Traffic before = servers.traffic();
        while (true) {
            millis(MILLIS);
            Traffic now = servers.traffic();
            long received = now.since(before).received();
            if (received <= HARDLY_ANY) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("Not quiet: the server still gets %d packets in %d ms; at most %d would be"
                        .formatted(received, MILLIS, HARDLY_ANY));
            }
            before = now;
        }
    }

    static void millis(long millis) {
        until(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Parking alone may end early. */
    static void until(long nanos) {
        while (System.nanoTime() - nanos < 0) {
            LockSupport.parkNanos(nanos - System.nanoTime());
        }
    }
}
