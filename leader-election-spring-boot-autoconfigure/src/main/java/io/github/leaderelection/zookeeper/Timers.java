package io.github.leaderelection.zookeeper;

/** Wakes the loop up at a time of the monotonic clock. */
interface Timers {

    void at(long nanos, Runnable task);
}
