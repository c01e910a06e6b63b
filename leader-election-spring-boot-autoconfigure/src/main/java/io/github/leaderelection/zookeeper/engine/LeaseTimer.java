package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.State;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The rhythm of one connection: while any of its elections leads, beats are sent, and leases that are over are ended. One
 * timer for each of the two, however many elections there are. Connections that lead nothing are silent.
 */
public final class LeaseTimer {

    private final Clock clock;
    private final LongSupplier ownLease;
    private final Supplier<? extends Collection<HostedElection>> elections;
    private final Runnable heartbeat;
    private final Consumer<HostedElection> lapse;
    private final DeadlineTimer nextBeat;
    private final DeadlineTimer nextLook;

    /**
     * @param ownLease the lease of this process, in milliseconds; that of a term may be shorter
     * @param elections a copy of all elections: those that lead are found when they are needed, since a list of them would
     *     have to be kept with every step, and takes memory
     * @param heartbeat sends a beat, if there is a connection
     * @param lapse told of an election whose lease is over
     */
    LeaseTimer(
            Timers timers,
            Clock clock,
            LongSupplier ownLease,
            Supplier<? extends Collection<HostedElection>> elections,
            Runnable heartbeat,
            Consumer<HostedElection> lapse) {
        this.clock = clock;
        this.ownLease = ownLease;
        this.elections = elections;
        this.heartbeat = heartbeat;
        this.lapse = lapse;
        this.nextBeat = new DeadlineTimer(timers, this::beatIfLeading);
        this.nextLook = new DeadlineTimer(timers, this::endLeases);
    }

    /** To be told after each step of an election. */
    void follow(HostedElection hosted) {
        if (hosted.election().state() instanceof State.Leading leading) {
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
        leaders().mapToLong(State.Leading::lease).min().ifPresent(shortestLease -> {
            heartbeat.run();
            beatWithin(shortestLease);
        });
    }

    private void endLeases() {
        for (HostedElection hosted : elections.get()) {
            if (hosted.election().state() instanceof State.Leading leading && !leading.isValid(clock.now())) {
                lapse.accept(hosted);
            }
        }
        leaders()
                .mapToLong(State.Leading::leaseEnd)
                .reduce((one, other) -> one - other < 0 ? one : other)
                .ifPresent(nextLook::noLaterThan);
    }

    private Stream<State.Leading> leaders() {
        return elections.get().stream().flatMap(hosted -> hosted.election().leading().stream());
    }
}
