package io.github.leaderelection.zookeeper.engine;

/**
 * Sends heartbeats as often as the connection's elections need them, and creates a heartbeat again that was refused. A
 * connection that neither leads nor inherits is silent.
 */
final class HeartbeatTimer implements Runnable {

    private final Engine engine;
    private final DeadlineTimer next;

    HeartbeatTimer(Engine engine) {
        this.engine = engine;
        this.next = new DeadlineTimer(engine, this);
    }

    /**
     * To be called after each step of an election.
     *
     * @param more the change in the number of elections that the connection leads
     */
    void follow(HostedElection hosted, int more) {
        engine.heartbeat.led(engine.heartbeat.led() + more);
        if (more < 0 && engine.heartbeat.led() == 0) {
            // To announce that it leads nothing any more.
            next.within(interval());
        }
        long interval = hosted.election().state().heartbeatInterval();
        if (interval > 0) {
            // Each time, since a lease may have become shorter.
            next.within(interval);
        }
    }

    void leaseChanged() {
        if (shortestInterval() > 0) {
            next.within(interval());
        }
    }

    void within(long millis) {
        next.within(millis);
    }

    /** The time between two heartbeats of a leader, in milliseconds. */
    long interval() {
        return Math.max(1, engine.connection.lease() / 6);
    }

    @Override
    public void run() {
        engine.heartbeat.createIfRefused();
        beatIfNeeded();
    }

    /** Sends a heartbeat now, if one is needed, and schedules the next one. */
    void beatIfNeeded() {
        long interval = shortestInterval();
        if (engine.connection.isUp() && (interval > 0 || engine.heartbeat.isOutdated())) {
            engine.heartbeat.send();
        }
        if (interval > 0) {
            next.within(interval);
        }
    }

    /** 0 if no heartbeats are needed. */
    private long shortestInterval() {
        long shortest = 0;
        for (HostedElection hosted : engine.elections.all()) {
            long interval = hosted.election().state().heartbeatInterval();
            if (interval > 0 && (shortest == 0 || interval < shortest)) {
                shortest = interval;
            }
        }
        return shortest;
    }
}
