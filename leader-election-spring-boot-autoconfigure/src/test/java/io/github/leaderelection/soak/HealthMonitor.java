package io.github.leaderelection.soak;

import io.github.leaderelection.zookeeper.fixture.TestEnsemble;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks each server again and again whether it serves. The ensemble is healthy while all of them do, one of them leads, and
 * nobody has done anything to it that is not over.
 */
final class HealthMonitor implements AutoCloseable {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private final TestEnsemble ensemble;
    private final Map<Integer, String> modes = new ConcurrentHashMap<>();
    private final List<Span> unhealthy = new ArrayList<>();
    private long sickSince = System.nanoTime();
    private int faults;
    private boolean sick = true;
    private volatile boolean closed;

    HealthMonitor(TestEnsemble ensemble) {
        this.ensemble = ensemble;
        for (int id : TestEnsemble.IDS) {
            Thread thread = new Thread(() -> watch(id), "health-" + id);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void watch(int id) {
        while (!closed) {
            String answer = ensemble.ask(id, "srvr");
            modes.put(id, answer.contains("Mode: leader") ? "leader" : answer.contains("Mode: ") ? "follower" : "");
            judge();
            LockSupport.parkNanos(PAUSE);
        }
    }

    private synchronized void judge() {
        boolean ill = faults > 0
                || modes.size() < TestEnsemble.IDS.size()
                || modes.containsValue("")
                || modes.values().stream().filter("leader"::equals).count() != 1;
        if (ill && !sick) {
            sickSince = System.nanoTime();
        } else if (!ill && sick) {
            unhealthy.add(new Span(sickSince, System.nanoTime()));
        }
        sick = ill;
    }

    /** From now on it is not healthy, whatever the servers say. */
    synchronized void faultBegins() {
        faults++;
        judge();
    }

    /** What the servers said so far does not count any more. */
    synchronized void faultEnds() {
        faults--;
        modes.clear();
        judge();
    }

    synchronized boolean isHealthy() {
        return !sick;
    }

    synchronized List<Span> unhealthy() {
        List<Span> all = new ArrayList<>(unhealthy);
        if (sick) {
            all.add(new Span(sickSince, System.nanoTime()));
        }
        return all;
    }

    @Override
    public void close() {
        closed = true;
    }
}
