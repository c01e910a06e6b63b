package io.github.leaderelection.zookeeper;

import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The rhythm of one connection: while any of its elections leads, beats are sent, and leases that are over are ended. One
 * timer for each of the two, however many elections there are. Connections that lead nothing are silent.
 */
final class Pulse {

    private final Clock clock;
    private final LongSupplier ownLease;
    private final Supplier<? extends Collection<Cell>> cells;
    private final Runnable beat;
    private final Consumer<Cell> lapse;
    private final Alarm nextBeat;
    private final Alarm nextLook;

    /**
     * @param ownLease the lease of this process, in milliseconds; that of a term may be shorter
     * @param cells a copy of all elections: those that lead are found when they are needed, since a list of them would
     *     have to be kept with every step, and takes memory
     * @param beat sends a beat, if there is a connection
     * @param lapse told of an election whose lease is over
     */
    Pulse(
            Timers timers,
            Clock clock,
            LongSupplier ownLease,
            Supplier<? extends Collection<Cell>> cells,
            Runnable beat,
            Consumer<Cell> lapse) {
        this.clock = clock;
        this.ownLease = ownLease;
        this.cells = cells;
        this.beat = beat;
        this.lapse = lapse;
        this.nextBeat = new Alarm(timers, this::beatIfLeading);
        this.nextLook = new Alarm(timers, this::endLeases);
    }

    /** To be told after each step of an election. */
    void follow(Cell cell) {
        if (cell.ballot().stage() instanceof Stage.Leading leading) {
            // Each time: a lease may have become shorter.
            beatWithin(leading.lease());
            nextLook.noLaterThan(leading.leaseEnd());
        }
    }

    /** The lease of this process has changed. */
    void leaseChanged() {
        if (leaders().findAny().isPresent()) {
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
        leaders().mapToLong(Stage.Leading::lease).min().ifPresent(shortestLease -> {
            beat.run();
            beatWithin(shortestLease);
        });
    }

    private void endLeases() {
        for (Cell cell : cells.get()) {
            if (cell.ballot().stage() instanceof Stage.Leading leading && !leading.isValid(clock.now())) {
                lapse.accept(cell);
            }
        }
        leaders()
                .mapToLong(Stage.Leading::leaseEnd)
                .reduce((one, other) -> one - other < 0 ? one : other)
                .ifPresent(nextLook::noLaterThan);
    }

    private Stream<Stage.Leading> leaders() {
        return cells.get().stream().flatMap(cell -> cell.ballot().leading().stream());
    }
}
