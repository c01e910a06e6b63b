package io.github.leaderelection.zookeeper.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Lets any number of elections share a connection. If thousands began at once, a heartbeat would be answered after all
 * their requests, and leases would be over by then. So tasks that can wait are queued in order while many requests are
 * under way. Confined to the loop.
 */
public final class RequestThrottle {

    /** Enough that the server is never idle, but few enough that a heartbeat behind them does not take long. */
    public static final int MOST_UNDER_WAY = 256;

    private final int mostUnderWay;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int underWay;

    RequestThrottle(int mostUnderWay) {
        this.mostUnderWay = mostUnderWay;
    }

    boolean hasRoom() {
        return underWay < mostUnderWay;
    }

    /** Runs a task that sends something: at once, or when replies have made room for it. */
    void whenThereIsRoom(Runnable task) {
        if (hasRoom()) {
            task.run();
        } else {
            waiting.add(task);
        }
    }

    void sent() {
        underWay++;
    }

    void answered() {
        underWay--;
        for (Runnable next = next(); next != null; next = next()) {
            next.run();
        }
    }

    private @Nullable Runnable next() {
        return hasRoom() ? waiting.poll() : null;
    }

    /** Requests of an ended session are no longer awaited, and queued tasks make no sense on the next session. */
    void expired() {
        underWay = 0;
        waiting.clear();
    }
}
