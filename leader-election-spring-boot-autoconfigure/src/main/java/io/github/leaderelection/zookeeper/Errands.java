package io.github.leaderelection.zookeeper;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Work that can wait until nothing else is under way: a thousand elections should all lead first, and only then look who
 * is behind them. On a connection that is never idle it still waits only briefly.
 */
final class Errands {

    private static final long PATIENCE = 20_000_000L;

    private final Timers timers;
    private final Clock clock;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int underWay;

    Errands(Timers timers, Clock clock) {
        this.timers = timers;
        this.clock = clock;
    }

    void add(Runnable errand) {
        if (waiting.isEmpty()) {
            timers.at(clock.nanos() + PATIENCE, this::runAll);
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
