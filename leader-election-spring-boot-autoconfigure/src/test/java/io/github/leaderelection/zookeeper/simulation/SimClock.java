package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.engine.Clock;

/** The clocks of one host. Each runs at its own rate; the monotonic one stands still while the host is suspended. */
final class SimClock implements Clock {

    private final SimScheduler scheduler;
    private final double rate;
    private final double wallRate;
    private long wallOffset;
    private long suspendedFor;
    private long suspendedSince = -1;

    SimClock(SimScheduler scheduler, double rate, double wallRate, long wallOffset) {
        this.scheduler = scheduler;
        this.rate = rate;
        this.wallRate = wallRate;
        this.wallOffset = wallOffset;
    }

    @Override
    public long nanos() {
        long lived = (suspendedSince >= 0 ? suspendedSince : scheduler.now()) - suspendedFor;
        return (long) (lived * rate);
    }

    @Override
    public long millis() {
        return wallOffset + (long) (scheduler.now() * wallRate) / SimScheduler.MILLIS;
    }

    /** The simulated time at which the monotonic clock will show this, unless the host is suspended before. */
    long timeOf(long nanos) {
        return (long) Math.ceil(nanos / rate) + suspendedFor + 1;
    }

    void suspend() {
        suspendedSince = scheduler.now();
    }

    void resume() {
        if (suspendedSince >= 0) {
            suspendedFor += scheduler.now() - suspendedSince;
            suspendedSince = -1;
        }
    }

    void setForward(long millis) {
        wallOffset += millis;
    }
}
