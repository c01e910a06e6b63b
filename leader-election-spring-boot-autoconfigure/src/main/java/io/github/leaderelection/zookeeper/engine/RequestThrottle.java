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

    private final Engine engine;
    private final int mostUnderWay;
    private final Queue<Runnable> candidates = new ArrayDeque<>();
    private final Queue<Watch> watches = new ArrayDeque<>();
    private int underWay;

    private record Watch(Runnable task, long since) {}

    RequestThrottle(Engine engine, int mostUnderWay) {
        this.engine = engine;
        this.mostUnderWay = mostUnderWay;
    }

    boolean hasRoom() {
        return underWay < mostUnderWay;
    }

    /** Lets a candidate begin: at once, or when replies have made room for it. */
    void whenThereIsRoom(Runnable candidate) {
        if (hasRoom()) {
            candidate.run();
        } else {
            candidates.add(candidate);
        }
    }

    /**
     * Lets a leader set its watches. Candidates come first, since an election without a leader is worse than one whose
     * heartbeats do not count yet; but only for a sixth of a lease, so that no lease ends for lack of a watch.
     */
    void afterCandidates(Runnable watch) {
        if (hasRoom()) {
            watch.run();
        } else {
            watches.add(new Watch(watch, engine.clock.nanos()));
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
        if (!hasRoom()) {
            return null;
        }
        Watch oldest = watches.peek();
        boolean overdue =
                oldest != null && engine.clock.nanos() - oldest.since() > engine.heartbeatTimer.interval() * 1_000_000;
        if (oldest != null && (overdue || candidates.isEmpty())) {
            watches.remove();
            return oldest.task();
        }
        return candidates.poll();
    }

    /** Requests of an ended session are no longer awaited, and queued tasks make no sense on the next session. */
    void expired() {
        underWay = 0;
        candidates.clear();
        watches.clear();
    }
}
