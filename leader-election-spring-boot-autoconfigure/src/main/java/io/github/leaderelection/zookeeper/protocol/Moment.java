package io.github.leaderelection.zookeeper.protocol;

/** A reading of both clocks. */
public record Moment(long nanos, long millis) {

    /** Whether less than the given time has passed since. R5: if the clocks disagree, the one that says "over" wins. */
    public boolean within(long leaseMillis, long nowNanos, long nowMillis) {
        return nowNanos - nanos < leaseMillis * 1_000_000 && nowMillis - millis < leaseMillis;
    }

    public boolean within(long leaseMillis, Moment now) {
        return within(leaseMillis, now.nanos, now.millis);
    }

    long nanosAfter(long millis) {
        return nanos + millis * 1_000_000;
    }
}
