package io.github.leaderelection.zookeeper.simulation;

/** How long things take: mostly little, sometimes about as long as a lease or a session; little always once it is calm. */
final class SimWeather {

    private final SimScheduler scheduler;
    private double slow;
    private double lagging;

    SimWeather(SimScheduler scheduler, SimProfile profile) {
        this.scheduler = scheduler;
        this.slow = profile.slow;
        this.lagging = profile.lagging;
    }

    void calmDown() {
        slow = 0;
        lagging = 0;
    }

    /** From a client to its server, or back. */
    long network() {
        return tailed(100_000, 3_000_000, 20, 900);
    }

    /** From a server to the majority. */
    long commit() {
        return tailed(500_000, 5_000_000, 50, 3_000);
    }

    /** Until a server learns of what was committed. */
    long apply() {
        return scheduler.chance(lagging) ? scheduler.millis(20, 2_500) : scheduler.between(100_000L, 3_000_000L);
    }

    boolean lags() {
        return scheduler.chance(lagging);
    }

    /** Until a process gets round to something. */
    long turn() {
        return tailed(20_000, 300_000, 5, 400);
    }

    /** Until listeners have run and work has ended. */
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
