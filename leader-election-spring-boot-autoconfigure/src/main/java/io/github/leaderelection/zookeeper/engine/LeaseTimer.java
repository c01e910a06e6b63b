package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Leading;

/**
 * Sends heartbeats as often as the connection's elections need them, and ends expired leases, with a fixed number of
 * timers for any number of elections. A connection that neither leads nor inherits is silent.
 */
final class LeaseTimer {

    private final Engine engine;
    private final DeadlineTimer nextHeartbeat;
    private final DeadlineTimer nextLeaseEnd;

    LeaseTimer(Engine engine) {
        this.engine = engine;
        this.nextHeartbeat = new DeadlineTimer(engine, this::beatIfNeeded);
        this.nextLeaseEnd = new DeadlineTimer(engine, this::endLeases);
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
            nextHeartbeat.within(interval());
        }
        long interval = hosted.election().state().heartbeatInterval();
        if (interval > 0) {
            // Each time, since a lease may have become shorter.
            nextHeartbeat.within(interval);
        }
        if (hosted.election().state() instanceof Leading leading) {
            nextLeaseEnd.noLaterThan(leading.leaseEnd());
        }
    }

    void leaseChanged() {
        if (shortestInterval() > 0) {
            nextHeartbeat.within(interval());
        }
    }

    /** The time between two heartbeats of a leader, in milliseconds. */
    long interval() {
        return Math.max(1, engine.connection.lease() / 6);
    }

    /** Sends a heartbeat now, if one is needed, and schedules the next one. */
    void beatIfNeeded() {
        long interval = shortestInterval();
        if (engine.connection.isUp() && (interval > 0 || engine.heartbeat.isOutdated())) {
            engine.heartbeat.send();
        }
        if (interval > 0) {
            nextHeartbeat.within(interval);
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

    private void endLeases() {
        for (HostedElection hosted : engine.elections.all()) {
            if (hosted.election().state() instanceof Leading leading) {
                if (leading.isValid(engine.clock.now())) {
                    nextLeaseEnd.noLaterThan(leading.leaseEnd());
                } else {
                    hosted.handle(new Event.Lapsed(leading.term()));
                }
            }
        }
    }
}
