package io.github.leaderelection.soak;

/** A time, in nanoseconds of the monotonic clock. */
record TimeSpan(long from, long to) {

    double seconds() {
        return (to - from) / 1e9;
    }
}
