package io.github.leaderelection.soak;

import io.github.leaderelection.zookeeper.fixture.TestEnsemble;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Polls the servers of an ensemble. The ensemble is healthy while all of them serve, one of them leads, and no fault is
 * being injected into it.
 */
final class HealthMonitor implements AutoCloseable {

    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

    private final TestEnsemble ensemble;
    private final Map<Integer, String> modes = new ConcurrentHashMap<>();
    private final List<TimeSpan> unhealthy = new ArrayList<>();
    private long unhealthySince = System.nanoTime();
    private int faults;
    private boolean isUnhealthy = true;
    private volatile boolean closed;

    HealthMonitor(TestEnsemble ensemble) {
        this.ensemble = ensemble;
        for (int id : TestEnsemble.IDS) {
            Thread thread = new Thread(() -> poll(id), "health-" + id);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void poll(int id) {
        while (!closed) {
            String answer = ensemble.ask(id, "srvr");
            modes.put(id, answer.contains("Mode: leader") ? "leader" : answer.contains("Mode: ") ? "follower" : "");
            update();
            LockSupport.parkNanos(INTERVAL);
        }
    }

    private synchronized void update() {
        boolean nowUnhealthy = faults > 0
                || modes.size() < TestEnsemble.IDS.size()
                || modes.containsValue("")
                || modes.values().stream().filter("leader"::equals).count() != 1;
        if (nowUnhealthy && !isUnhealthy) {
            unhealthySince = System.nanoTime();
        } else if (!nowUnhealthy && isUnhealthy) {
            unhealthy.add(new TimeSpan(unhealthySince, System.nanoTime()));
        }
        isUnhealthy = nowUnhealthy;
    }

    /** The ensemble is unhealthy from now on, whatever the servers say. */
    synchronized void faultBegins() {
        faults++;
        update();
    }

    /** Earlier answers of the servers do not count any more. */
    synchronized void faultEnds() {
        faults--;
        modes.clear();
        update();
    }

    synchronized boolean isHealthy() {
        return !isUnhealthy;
    }

    synchronized List<TimeSpan> unhealthy() {
        List<TimeSpan> all = new ArrayList<>(unhealthy);
        if (isUnhealthy) {
            all.add(new TimeSpan(unhealthySince, System.nanoTime()));
        }
        return all;
    }

    @Override
    public void close() {
        closed = true;
    }
}
