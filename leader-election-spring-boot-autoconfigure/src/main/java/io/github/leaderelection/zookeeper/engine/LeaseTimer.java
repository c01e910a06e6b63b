package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Leading;

/**
 * Sends heartbeats as often as the elections of the connection need them, and ends leases that are over: one timer for each of
 * the two, however many elections there are. A connection that neither leads nor inherits is silent.
 */
final class LeaseTimer {

    private final Clock clock;
    private final ConnectionState connection;
    private final HostedElections elections;
    private final Heartbeat heartbeat;
    private final DeadlineTimer nextHeartbeat;
    private final DeadlineTimer nextLeaseEnd;
    private final DeadlineTimer lastHeartbeat;

    LeaseTimer(Timers timers, Clock clock, ConnectionState connection, HostedElections elections, Heartbeat heartbeat) {
        this.clock = clock;
        this.connection = connection;
        this.elections = elections;
        this.heartbeat = heartbeat;
        this.nextHeartbeat = new DeadlineTimer(timers, this::beatIfNeeded);
        this.nextLeaseEnd = new DeadlineTimer(timers, this::endLeases);
        this.lastHeartbeat = new DeadlineTimer(timers, this::beatOnceMore);
    }

    /**
     * To be called after each step of an election.
     *
     * @param more how many elections the connection leads more than before
     */
    void follow(HostedElection hosted, int more) {
        heartbeat.led(heartbeat.led() + more);
        if (more < 0 && heartbeat.led() == 0) {
            lastHeartbeat.noLaterThan(clock.nanos() + interval() * 1_000_000);
        }
        long interval = hosted.election().state().heartbeatInterval();
        if (interval > 0) {
            // Each time, since a lease may have become shorter.
            beatWithin(interval);
        }
        if (hosted.election().state() instanceof Leading leading) {
            nextLeaseEnd.noLaterThan(leading.leaseEnd());
        }
    }

    /** The lease of this process has changed. */
    void leaseChanged() {
        if (shortestInterval() > 0) {
            beatWithin(interval());
        }
    }

    /** The time between two heartbeats of a leader, in milliseconds. */
    long interval() {
        return Math.max(1, connection.lease() / 6);
    }

    private void beatWithin(long interval) {
        nextHeartbeat.noLaterThan(clock.nanos() + interval * 1_000_000);
    }

    /**
     * Sends a heartbeat now, if one is needed, and schedules the next one. If heartbeats are not answered, the leases end;
     * further heartbeats would only delay the heir's take-over.
     */
    void beatIfNeeded() {
        long interval = shortestInterval();
        if (interval > 0) {
            if (connection.isUp() && !heartbeat.isUnanswered(connection.lease())) {
                heartbeat.send();
            }
            beatWithin(interval);
        }
    }

    /** A connection that leads nothing any more says so, even if it sends no other heartbeats. */
    private void beatOnceMore() {
        if (heartbeat.isOutdated() && connection.isUp() && !heartbeat.isUnanswered(connection.lease())) {
            heartbeat.send();
        }
    }

    /** 0 if no heartbeats are needed. */
    private long shortestInterval() {
        long shortest = 0;
        for (HostedElection hosted : elections.all()) {
            long interval = hosted.election().state().heartbeatInterval();
            if (interval > 0 && (shortest == 0 || interval < shortest)) {
                shortest = interval;
            }
        }
        return shortest;
    }

    private void endLeases() {
        for (HostedElection hosted : elections.all()) {
            if (hosted.election().state() instanceof Leading leading) {
                if (leading.isValid(clock.now())) {
                    nextLeaseEnd.noLaterThan(leading.leaseEnd());
                } else {
                    hosted.handle(new Event.Lapsed(leading.term()));
                }
            }
        }
    }
}
