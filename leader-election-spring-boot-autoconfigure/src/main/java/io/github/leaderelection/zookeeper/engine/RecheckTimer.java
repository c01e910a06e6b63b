package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Event;
import java.util.List;

/**
 * Makes every election check its state periodically, in case a watch event was missed. One timer serves all elections,
 * but they check at different times.
 */
final class RecheckTimer {

    private final Engine engine;
    private final long interval;
    private boolean running;

    /** @param interval in milliseconds */
    RecheckTimer(Engine engine, long interval) {
        this.engine = engine;
        this.interval = interval;
    }

    void begin(HostedElection hosted) {
        hosted.recheckAt = next();
        if (!running) {
            running = true;
            schedule();
        }
    }

    private long next() {
        double jitter = 0.75 + Math.random() / 2;
        return engine.clock.nanos() + (long) (interval * jitter * 1_000_000);
    }

    private void schedule() {
        engine.after(Math.max(5, interval / 16) * 1_000_000, this::verifyThoseDue);
    }

    private void verifyThoseDue() {
        List<HostedElection> all = engine.elections.all();
        running = !all.isEmpty();
        if (running) {
            schedule();
        }
        for (HostedElection hosted : all) {
            if (engine.clock.nanos() - hosted.recheckAt >= 0) {
                hosted.recheckAt = next();
                hosted.handle(new Event.Recheck());
            }
        }
    }
}
