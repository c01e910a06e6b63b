package io.github.leaderelection.zookeeper.simulation;

/** Random delays: mostly short, sometimes about as long as a lease or a session, and always short after the recovery. */
final class SimLatency {

    private final SimScheduler scheduler;
    private double slow;
    private double lagging;

    SimLatency(SimScheduler scheduler, SimProfile profile) {
        this.scheduler = scheduler;
        this.slow = profile.slow;
        this.lagging = profile.lagging;
    }

    void endDelays() {
        slow = 0;
        lagging = 0;
    }

    /** Between a client and its server. */
    long network() {
        return tailed(100_000, 3_000_000, 20, 900);
    }

    /** From a server to the quorum. */
    long commit() {
        return tailed(500_000, 5_000_000, 50, 3_000);
    }

    /** Until a server learns of a commit. */
    long apply() {
        return scheduler.chance(lagging) ? scheduler.millis(20, 2_500) : scheduler.between(100_000L, 3_000_000L);
    }

    boolean lags() {
        return scheduler.chance(lagging);
    }

    /** Until a process runs its next task. */
    long processing() {
        return tailed(20_000, 300_000, 5, 400);
    }

    /** Until listeners have returned and work has ended. */
    long drain() {
        return tailed(50_000, 5_000_000, 50, 1_500);
    }

    long reconnect() {
        return tailed(1_000_000, 200_000_000, 300, 4_000);
    }

    private long tailed(long low, long high, long tailLow, long tailHigh) {
        return scheduler.chance(slow) ? scheduler.millis(tailLow, tailHigh) : scheduler.between(low, high);
    }
}
