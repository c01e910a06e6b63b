package io.github.leaderelection.zookeeper;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.LongSupplier;

/**
 * Work that can wait until nothing else is under way: a thousand elections should all lead first, and only then look who
 * is behind them. On a connection that is never idle it still waits only briefly.
 */
final class Errands {

    private static final long LONGEST = 500;

    private final Timers timers;
    private final Clock clock;
    private final LongSupplier lease;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int underWay;

    /** @param lease in milliseconds; watches have to be set before the next beat, which counts only then */
    Errands(Timers timers, Clock clock, LongSupplier lease) {
        this.timers = timers;
        this.clock = clock;
        this.lease = lease;
    }

    void add(Runnable errand) {
        if (waiting.isEmpty()) {
            long patience = Math.min(LONGEST, lease.getAsLong() / 8);
            timers.at(clock.nanos() + patience * 1_000_000, this::runAll);
        }
        waiting.add(errand);
    }

    void sent() {
        underWay++;
    }

    void answered() {
        underWay--;
        if (underWay == 0) {
            runAll();
        }
    }

    private void runAll() {
        for (int left = waiting.size(); left > 0; left--) {
            waiting.remove().run();
        }
    }
}
