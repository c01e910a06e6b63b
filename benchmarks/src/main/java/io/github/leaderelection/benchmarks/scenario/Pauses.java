package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Waits. */
final class Pauses {

    private static final int LOOK_MILLIS = 10;
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Renewals and pings go on, so it is never none for sure. */
    private static final int HARDLY_ANY = 5;

    private Pauses() {}

    /** Until the server is asked hardly anything any more; returns since when, in {@link System#nanoTime}. */
    static long untilQuiet(Servers servers) throws TimeoutException {
        long deadline = System.nanoTime() + AdminClient.TIMEOUT_NANOS;
        long since = System.nanoTime();
        Traffic before = servers.traffic();
        while (System.nanoTime() - since < QUIET_NANOS) {
            millis(LOOK_MILLIS);
            long look = System.nanoTime();
            Traffic now = servers.traffic();
            long received = now.since(before).received();
            if (received > HARDLY_ANY) {
                if (look - deadline > 0) {
                    throw new TimeoutException("Not quiet: the server got %d packets in %d ms; at most %d would be"
                            .formatted(received, TimeUnit.NANOSECONDS.toMillis(look - since), HARDLY_ANY));
                }
                since = look;
                before = now;
            }
        }
        return since;
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
