package io.github.leaderelection.zookeeper;

/** The system's clocks, each of which can be moved, as by a suspended machine or an administrator. */
final class TestClock implements Clock {

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

    void moveMonotonic(long millis) {
        nanosOffset += millis * 1_000_000;
    }

    void moveWall(long millis) {
        millisOffset += millis;
    }
}
