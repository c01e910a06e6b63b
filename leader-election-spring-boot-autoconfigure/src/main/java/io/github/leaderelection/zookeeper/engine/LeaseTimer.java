package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Leading;
import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * While any election of the connection leads, sends heartbeats and ends leases that are over: one timer for each of the two,
 * however many elections there are. A connection that leads nothing is silent.
 */
final class LeaseTimer {

    private final Clock clock;
    private final LongSupplier ownLease;
    private final Supplier<? extends Collection<HostedElection>> elections;
    private final Runnable heartbeat;
    private final DeadlineTimer nextHeartbeat;
    private final DeadlineTimer nextLeaseEnd;

    /**
     * @param ownLease the lease of this process, in milliseconds; that of a term may be shorter
     * @param elections all elections; those that lead are looked up when they are needed
     * @param heartbeat sends a heartbeat, if there is a connection
     */
    LeaseTimer(
            Timers timers,
            Clock clock,
            LongSupplier ownLease,
            Supplier<? extends Collection<HostedElection>> elections,
            Runnable heartbeat) {
        this.clock = clock;
        this.ownLease = ownLease;
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
            beatWithin(ownLease.getAsLong());
        }
    }

    /** The time between two heartbeats, in milliseconds. */
    long interval() {
        return interval(ownLease.getAsLong());
    }

    private static long interval(long lease) {
        return Math.max(1, lease / 4);
    }

    private void beatWithin(long lease) {
        nextHeartbeat.noLaterThan(clock.nanos() + interval(Math.min(lease, ownLease.getAsLong())) * 1_000_000);
    }

    /** Sends a heartbeat now; the next one follows in its time. */
    void beatIfLeading() {
        long shortestLease = shortestLease();
        if (shortestLease > 0) {
            heartbeat.run();
            beatWithin(shortestLease);
        }
    }

    /** 0 if no election leads. */
    private long shortestLease() {
        long shortest = 0;
        for (HostedElection hosted : elections.get()) {
            if (hosted.election().state() instanceof Leading leading) {
                shortest = shortest == 0 ? leading.lease() : Math.min(shortest, leading.lease());
            }
        }
        return shortest;
    }

    private void endLeases() {
        for (HostedElection hosted : elections.get()) {
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
