package io.github.leaderelection.zookeeper.engine;

/**
 * Brings elections back when their time comes: a wait is over, a lease has ended, or it is time to check their state in
 * case a watch event was missed. One timer serves all of them: there may be thousands, and the heirs of one connection
 * wait for the same time.
 */
final class ElectionTimer implements Runnable {

    /** Of many elections that wait for almost the same time, some wait this much longer, so that they share a look. */
    private static final long SLACK = 1_000_000;

    /** Checks are due at this many times per interval, so that a look finds several of them. */
    private static final int CHECKS_PER_INTERVAL = 16;

    private final Engine engine;
    private final DeadlineTimer next;
    private final long checkInterval;
    private final long begin;
    private boolean looking;

    /** @param checkMillis the average time between two checks of an election */
    ElectionTimer(Engine engine, long checkMillis) {
        this.engine = engine;
        this.next = new DeadlineTimer(engine, this);
        this.checkInterval = checkMillis * 1_000_000;
        this.begin = engine.clock.nanos();
    }

    /** To be called when an election is opened, and after each of its steps. */
    void set(HostedElection hosted) {
        if (!looking) {
            next.noLaterThan(hosted.dueAt());
        }
    }

    /** When to check an election next: at a random time, so that not all are checked at once. */
    long nextCheck() {
        long step = Math.max(5_000_000, checkInterval / CHECKS_PER_INTERVAL);
        long at = engine.clock.nanos() + (long) (checkInterval * (0.75 + Math.random() / 2));
        return at - Math.floorMod(at - begin, step) + step;
    }

    @Override
    public void run() {
        looking = true;
        try {
            for (HostedElection hosted : engine.elections.all()) {
                hosted.handleWhatIsDue();
            }
        } finally {
            looking = false;
            setForAll();
        }
    }

    private void setForAll() {
        HostedElection first = null;
        for (HostedElection hosted : engine.elections.all()) {
            first = first == null || hosted.dueAt() - first.dueAt() < 0 ? hosted : first;
        }
        if (first != null) {
            long soonest = engine.clock.nanos() + SLACK;
            next.noLaterThan(soonest - first.dueAt() > 0 ? soonest : first.dueAt());
        }
    }
}
