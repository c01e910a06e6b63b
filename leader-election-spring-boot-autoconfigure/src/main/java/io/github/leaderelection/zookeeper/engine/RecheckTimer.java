package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Event;
import java.util.List;

/**
 * Has every election check its state now and then, in case a watch event was missed: not all of them at the same time, but
 * with one timer for all.
 */
final class RecheckTimer {

    private final Timers timers;
    private final Clock clock;
    private final long interval;
    private final HostedElections elections;
    private boolean running;

    /** @param interval in milliseconds */
    RecheckTimer(Timers timers, Clock clock, long interval, HostedElections elections) {
        this.timers = timers;
        this.clock = clock;
        this.interval = interval;
        this.elections = elections;
    }

    /** Call it for each new election. */
    void begin(HostedElection hosted) {
        hosted.recheckAt(next());
        if (!running) {
            running = true;
            schedule();
        }
    }

    private long next() {
        double jitter = 0.75 + Math.random() / 2;
        return clock.nanos() + (long) (interval * jitter * 1_000_000);
    }

    private void schedule() {
        timers.at(clock.nanos() + Math.max(5, interval / 16) * 1_000_000, this::verifyThoseDue);
    }

    private void verifyThoseDue() {
        List<HostedElection> all = elections.all();
        running = !all.isEmpty();
        if (running) {
            schedule();
        }
        for (HostedElection hosted : all) {
            if (clock.nanos() - hosted.recheckAt() >= 0) {
                hosted.recheckAt(next());
                hosted.handle(new Event.Recheck());
            }
        }
    }
}
