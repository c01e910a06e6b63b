package io.github.leaderelection.zookeeper;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.LongSupplier;

/**
 * Work that can wait until nothing else is under way: a thousand elections should all lead first, and those who are told
 * so should come to know of it, and only then it is looked who is behind them. On a connection that is never idle it
 * still waits only briefly.
 */
final class Errands {

    private static final long IDLE_NANOS = 1_000_000;
    private static final long LONGEST = 500;

    private final Alarm alarm;
    private final Clock clock;
    private final LongSupplier lease;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int underWay;
    private long idleSince;
    private long latest;

    /** @param lease in milliseconds; watches have to be set before the next beat, which counts only then */
    Errands(Timers timers, Clock clock, LongSupplier lease) {
        this.alarm = new Alarm(timers, this::run);
        this.clock = clock;
        this.lease = lease;
        this.idleSince = clock.nanos();
    }

    void add(Runnable errand) {
        if (waiting.isEmpty()) {
            latest = clock.nanos() + Math.min(LONGEST, lease.getAsLong() / 8) * 1_000_000;
        }
        waiting.add(errand);
        alarm.noLaterThan(due());
    }

    void sent() {
        underWay++;
    }

    void answered() {
        underWay--;
        if (underWay == 0) {
            idleSince = clock.nanos();
            if (!waiting.isEmpty()) {
                alarm.noLaterThan(due());
            }
        }
    }

    private long due() {
        long idle = idleSince + IDLE_NANOS;
        return underWay == 0 && idle - latest < 0 ? idle : latest;
    }

    private void run() {
        if (waiting.isEmpty()) {
            return;
        }
        if (due() - clock.nanos() > 0) {
            alarm.noLaterThan(due());
            return;
        }
        for (int left = waiting.size(); left > 0; left--) {
            waiting.remove().run();
        }
    }
}
