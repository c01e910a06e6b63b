package io.github.leaderelection.zookeeper.engine;

/** Runs tasks on the loop at a time of the monotonic clock. */
public interface Timers {

    void at(long nanos, Runnable task);
}
