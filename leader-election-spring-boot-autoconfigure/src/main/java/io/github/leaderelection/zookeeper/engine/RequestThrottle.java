package io.github.leaderelection.zookeeper.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Lets any number of elections share a connection. If thousands began at once, a heartbeat would be answered after everything
 * that they have sent, and leases would be over by then. So what can wait does so while many requests are under way, in the
 * order in which it came. Confined to the loop.
 */
public final class RequestThrottle {

    /** So many that the server is never idle, and so few that a heartbeat behind them does not take long. */
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

    /** Requests of an ended session are no longer waited for, and what was to follow makes no sense on the next one. */
    void expired() {
        underWay = 0;
        waiting.clear();
    }
}
