package io.github.leaderelection.zookeeper;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The rhythm of one connection: while any of its elections leads, beats are sent, and leases that are over are ended. One
 * timer for each of the two, however many elections there are. Connections that lead nothing are silent.
 */
final class Pulse {

    private final Timers timers;
    private final Clock clock;
    private final LongSupplier ownLease;
    private final Runnable beat;
    private final Consumer<Engine.Cell> lapse;
    private final Set<Engine.Cell> leaders = new HashSet<>();
    private long nextBeat;
    private long nextLook;

    /**
     * @param ownLease the lease of this process, in milliseconds; that of a term may be shorter
     * @param beat sends a beat, if there is a connection
     * @param lapse told of an election whose lease is over
     */
    Pulse(Timers timers, Clock clock, LongSupplier ownLease, Runnable beat, Consumer<Engine.Cell> lapse) {
        this.timers = timers;
        this.clock = clock;
        this.ownLease = ownLease;
        this.beat = beat;
        this.lapse = lapse;
    }

    /** To be told after each step of an election. */
    void follow(Engine.Cell cell) {
        if (!(cell.ballot().stage() instanceof Stage.Leading leading)) {
            leaders.remove(cell);
        } else if (leaders.add(cell)) {
            beatWithin(leading.lease());
            lookAt(leading.leaseEnd());
        }
    }

    /** The lease of this process has changed. */
    void leaseChanged() {
        if (!leaders.isEmpty()) {
            beatWithin(ownLease.getAsLong());
        }
    }

    /** How much time there is between two beats, in milliseconds. */
    long interval() {
        return interval(ownLease.getAsLong());
    }

    private static long interval(long lease) {
        return Math.max(1, lease / 4);
    }

    private void beatWithin(long lease) {
        long due = clock.nanos() + interval(Math.min(lease, ownLease.getAsLong())) * 1_000_000;
        if (nextBeat == 0 || due - nextBeat < 0) {
            nextBeat = due;
            timers.at(due, () -> beatIfDue(due));
        }
    }

    private void beatIfDue(long due) {
        if (due == nextBeat) {
            nextBeat = 0;
            if (!leaders.isEmpty()) {
                beat.run();
                beatWithin(shortestLease());
            }
        }
    }

    private long shortestLease() {
        long shortest = Long.MAX_VALUE;
        for (Engine.Cell cell : leaders) {
            shortest = cell.ballot().stage() instanceof Stage.Leading leading
                    ? Math.min(shortest, leading.lease())
                    : shortest;
        }
        return shortest;
    }

    private void lookAt(long due) {
        if (nextLook == 0 || due - nextLook < 0) {
            nextLook = due;
            timers.at(due, () -> lookIfDue(due));
        }
    }

    private void lookIfDue(long due) {
        if (due == nextLook) {
            nextLook = 0;
            endLeasesThatAreOver();
            leaders.stream()
                    .flatMap(cell -> cell.ballot().leading().stream())
                    .mapToLong(Stage.Leading::leaseEnd)
                    .reduce((one, other) -> one - other < 0 ? one : other)
                    .ifPresent(this::lookAt);
        }
    }

    private void endLeasesThatAreOver() {
        for (Engine.Cell cell : List.copyOf(leaders)) {
            if (cell.ballot().stage() instanceof Stage.Leading leading && !leading.isValid(clock.now())) {
                lapse.accept(cell);
            }
        }
    }
}
