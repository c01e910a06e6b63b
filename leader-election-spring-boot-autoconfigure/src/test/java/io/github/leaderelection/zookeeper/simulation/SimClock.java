package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.zookeeper.engine.Clock;

/** The clocks of one host: each runs at its own rate; the monotonic one stands still while the host is suspended. */
final class SimClock implements Clock {

    private final SimScheduler scheduler;
    private final double rate;
    private final double wallRate;
    private long wallOffset;
    private long stoodStill;
    private long stillSince = -1;

    SimClock(SimScheduler scheduler, double rate, double wallRate, long wallOffset) {
        this.scheduler = scheduler;
        this.rate = rate;
        this.wallRate = wallRate;
        this.wallOffset = wallOffset;
    }

    @Override
    public long nanos() {
        long lived = (stillSince >= 0 ? stillSince : scheduler.now()) - stoodStill;
        return (long) (lived * rate);
    }

    @Override
    public long millis() {
        return wallOffset + (long) (scheduler.now() * wallRate) / SimScheduler.MILLIS;
    }

    /** The true time at which the monotonic clock shows the given one, if it does not stand still before. */
    long timeOf(long nanos) {
        return (long) Math.ceil(nanos / rate) + stoodStill + 1;
    }

    void suspend() {
        stillSince = scheduler.now();
    }

    void resume() {
        if (stillSince >= 0) {
            stoodStill += scheduler.now() - stillSince;
            stillSince = -1;
        }
    }

    void setForward(long millis) {
        wallOffset += millis;
    }
}
