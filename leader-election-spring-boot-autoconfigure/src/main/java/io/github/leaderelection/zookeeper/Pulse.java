package io.github.leaderelection.zookeeper;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The rhythm of one connection: while any of its elections leads, beats are sent, and leases that are over are ended. One
 * timer for each of the two, however many elections there are. Connections that lead nothing are silent.
 */
final class Pulse {

    private final Clock clock;
    private final LongSupplier ownLease;
    private final Runnable beat;
    private final Consumer<Cell> lapse;
    private final Set<Cell> leaders = new LinkedHashSet<>();
    private final Alarm nextBeat;
    private final Alarm nextLook;

    /**
     * @param ownLease the lease of this process, in milliseconds; that of a term may be shorter
     * @param beat sends a beat, if there is a connection
     * @param lapse told of an election whose lease is over
     */
    Pulse(Timers timers, Clock clock, LongSupplier ownLease, Runnable beat, Consumer<Cell> lapse) {
        this.clock = clock;
        this.ownLease = ownLease;
        this.beat = beat;
        this.lapse = lapse;
        this.nextBeat = new Alarm(timers, this::beatIfLeading);
        this.nextLook = new Alarm(timers, this::endLeases);
    }

    /** To be told after each step of an election. */
    void follow(Cell cell) {
        if (!(cell.ballot().stage() instanceof Stage.Leading leading)) {
            leaders.remove(cell);
        } else {
            if (leaders.add(cell)) {
                beatWithin(leading.lease());
            }
            // Each time: a lease may have become shorter.
            nextLook.noLaterThan(leading.leaseEnd());
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
        nextBeat.noLaterThan(clock.nanos() + interval(Math.min(lease, ownLease.getAsLong())) * 1_000_000);
    }

    /** At once; the next one comes in its time after that. */
    void beatIfLeading() {
        if (!leaders.isEmpty()) {
            beat.run();
            beatWithin(shortestLease());
        }
    }

    private long shortestLease() {
        long shortest = Long.MAX_VALUE;
        for (Cell cell : leaders) {
            shortest = cell.ballot().stage() instanceof Stage.Leading leading
                    ? Math.min(shortest, leading.lease())
                    : shortest;
        }
        return shortest;
    }

    private void endLeases() {
        for (Cell cell : List.copyOf(leaders)) {
            if (cell.ballot().stage() instanceof Stage.Leading leading && !leading.isValid(clock.now())) {
                lapse.accept(cell);
            }
        }
        leaders.stream()
                .flatMap(cell -> cell.ballot().leading().stream())
                .mapToLong(Stage.Leading::leaseEnd)
                .reduce((one, other) -> one - other < 0 ? one : other)
                .ifPresent(nextLook::noLaterThan);
    }
}
