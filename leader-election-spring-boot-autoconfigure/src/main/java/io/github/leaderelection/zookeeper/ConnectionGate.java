package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.engine.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lets callers wait until the connection can be used. The latest report counts. */
final class ConnectionGate {

    private final Duration timeout;
    private boolean ready;
    private volatile @Nullable ElectionException obstacle;

    ConnectionGate(Duration timeout) {
        this.timeout = timeout;
    }

    synchronized void ready() {
        ready = true;
        obstacle = null;
        notifyAll();
    }

    synchronized void refused(ElectionException cause) {
        ready = false;
        obstacle = cause;
        notifyAll();
    }

    /** The reason why the connection cannot be used; null if none is known. */
    @Nullable
    String obstacle() {
        ElectionException cause = obstacle;
        return cause == null ? null : String.valueOf(cause.getMessage());
    }

    /**
     * Waits until the connection can be used.
     *
     * @throws ElectionException if it cannot be used, or not in time
     */
    synchronized void await() {
        long deadline = Clock.SYSTEM.nanosAfter(timeout);
        while (!ready && obstacle == null) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new ElectionConnectionException(
                        "No usable connection to ZooKeeper within %s (connection-timeout): is a server running at that address?"
                                .formatted(timeout));
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new ElectionConnectionException("Interrupted while waiting for ZooKeeper");
            }
        }
        if (obstacle != null) {
            throw obstacle;
        }
    }
}
