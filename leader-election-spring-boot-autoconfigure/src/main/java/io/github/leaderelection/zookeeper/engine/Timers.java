package io.github.leaderelection.zookeeper.engine;

/** Wakes the loop up at a time of the monotonic clock. */
public interface Timers {

    void at(long nanos, Runnable task);
}
