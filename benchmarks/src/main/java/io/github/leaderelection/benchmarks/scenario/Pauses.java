package io.github.leaderelection.benchmarks.scenario;

import io.github.leaderelection.benchmarks.server.Servers;
import io.github.leaderelection.benchmarks.server.Traffic;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Waiting for a time, or until the server is quiet. */
final class Pauses {

    private static final int POLL_MILLIS = 10;
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Not zero, because renewals and pings go on. */
    private static final int QUIET_PACKETS = 5;

    private Pauses() {}

    /** Waits until the server receives hardly any packets; returns since when, as {@link System#nanoTime}. */
    static long untilQuiet(Servers servers) throws TimeoutException {
        long deadline = System.nanoTime() + AdminClient.TIMEOUT_NANOS;
        long since = System.nanoTime();
        Traffic before = servers.traffic();
        while (System.nanoTime() - since < QUIET_NANOS) {
            millis(POLL_MILLIS);
            long look = System.nanoTime();
            Traffic now = servers.traffic();
            long received = now.since(before).received();
            if (received > QUIET_PACKETS) {
                if (look - deadline > 0) {
                    throw new TimeoutException(
                            "The server does not become quiet: it received %d packets in %d ms, and at most %d are allowed"
                                    .formatted(received, TimeUnit.NANOSECONDS.toMillis(look - since), QUIET_PACKETS));
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

    /** In a loop, because parking may end early. */
    static void until(long nanos) {
        while (System.nanoTime() - nanos < 0) {
            LockSupport.parkNanos(nanos - System.nanoTime());
        }
    }
}
