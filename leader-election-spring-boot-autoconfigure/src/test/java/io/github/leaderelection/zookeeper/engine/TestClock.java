package io.github.leaderelection.zookeeper.engine;

/** The system's clocks, each of which can be moved, as by a suspended machine or an administrator. */
public final class TestClock implements Clock {

    private volatile long nanosOffset;
    private volatile long millisOffset;

    @Override
    public long nanos() {
        return System.nanoTime() + nanosOffset;
    }

    @Override
    public long millis() {
        return System.currentTimeMillis() + millisOffset;
    }

    public void moveMonotonic(long millis) {
        nanosOffset += millis * 1_000_000;
    }

    public void moveWall(long millis) {
        millisOffset += millis;
    }
}
