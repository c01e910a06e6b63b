package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Leading;

/**
 * While any election of the connection leads, sends heartbeats and ends leases that are over: one timer for each of the two,
 * however many elections there are. A connection that leads nothing is silent.
 */
final class LeaseTimer {

    private final Clock clock;
    private final ConnectionState connection;
    private final HostedElections elections;
    private final Heartbeat heartbeat;
    private final DeadlineTimer nextHeartbeat;
    private final DeadlineTimer nextLeaseEnd;

    LeaseTimer(Timers timers, Clock clock, ConnectionState connection, HostedElections elections, Heartbeat heartbeat) {
        this.clock = clock;
        this.connection = connection;
        this.elections = elections;
        this.heartbeat = heartbeat;
        this.nextHeartbeat = new DeadlineTimer(timers, this::beatIfLeading);
        this.nextLeaseEnd = new DeadlineTimer(timers, this::endLeases);
    }

    /** To be called after each step of an election. */
    void follow(HostedElection hosted) {
        if (hosted.election().state() instanceof Leading leading) {
            // Each time, since a lease may have become shorter.
            beatWithin(leading.lease());
            nextLeaseEnd.noLaterThan(leading.leaseEnd());
        }
    }

    /** The lease of this process has changed. */
    void leaseChanged() {
        if (shortestLease() > 0) {
            beatWithin(connection.lease());
        }
    }

    /** The time between two heartbeats, in milliseconds. */
    long interval() {
        return interval(connection.lease());
    }

    private static long interval(long lease) {
        return Math.max(1, lease / 4);
    }

    private void beatWithin(long lease) {
        nextHeartbeat.noLaterThan(clock.nanos() + interval(Math.min(lease, connection.lease())) * 1_000_000);
    }

    /** Sends a heartbeat now; the next one follows in its time. */
    void beatIfLeading() {
        long shortestLease = shortestLease();
        if (shortestLease > 0) {
            if (connection.isUp()) {
                heartbeat.send();
            }
            beatWithin(shortestLease);
        }
    }

    /** 0 if no election leads. */
    private long shortestLease() {
        long shortest = 0;
        for (HostedElection hosted : elections.all()) {
            if (hosted.election().state() instanceof Leading leading) {
                shortest = shortest == 0 ? leading.lease() : Math.min(shortest, leading.lease());
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
