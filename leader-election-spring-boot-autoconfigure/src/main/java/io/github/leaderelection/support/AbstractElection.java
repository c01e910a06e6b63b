package io.github.leaderelection.support;

import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.LeaderOnly.WhenRevoked;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Role;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Base class of elections, with the behaviour that all kinds share. */
public abstract class AbstractElection implements ManagedElection {

    private final String name;
    private final String path;
    private final ElectionPublisher publisher;

    // The publisher does not use the reference before the first change.
    @SuppressWarnings("this-escape")
    protected AbstractElection(String name, String path, Delivery delivery) {
        this.name = name;
        this.path = path;
        this.publisher = new ElectionPublisher(this, delivery);
    }

    /** The current term, which may be over; null if there is none. */
    protected abstract @Nullable Leadership term();

    /** Whether the election answers only queries. Leaving may still be in progress. */
    protected abstract boolean isClosed();

    /** A listener threw an exception when that term was granted, or work that has to run for the term has failed. */
    protected abstract void refused(long term);

    /** Whether {@link #nominate()} was called, even if that has not taken effect yet. */
    protected boolean isNominated() {
        return role() != Role.OBSERVER;
    }

    protected final ElectionPublisher publisher() {
        return publisher;
    }

    /** Whether a hand-over would wait for the calling thread, which therefore must not wait for it. */
    protected final boolean callsFromWithin() {
        return publisher.callsFromWithin();
    }

    protected final void requireOpen() {
        if (isClosed()) {
            throw new ElectionClosedException("Election '%s' is closed: %s"
                    .formatted(name, gauges().ended() ? "it was deleted" : "this process has left it"));
        }
    }

    protected final void requireLeader() {
        requireOpen();
        if (!isLeader()) {
            throw notLeader();
        }
    }

    protected final IllegalStateException notLeader() {
        return new IllegalStateException(
                "This process does not lead election '%s': its role is %s".formatted(name, role()));
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String path() {
        return path;
    }

    @Override
    public final Role role() {
        return status().role();
    }

    @Override
    public final boolean isLeader() {
        Leadership term = term();
        return term != null && term.isValid();
    }

    @Override
    public final Optional<Leadership> leadership() {
        Leadership term = term();
        return term != null && term.isValid() ? Optional.of(term) : Optional.empty();
    }

    @Override
    public final boolean awaitLeadership(Duration timeout) throws InterruptedException {
        requireOpen();
        if (!isNominated()) {
            publisher.requireNomination();
        }
        boolean leads = publisher.awaitLeadership(timeout);
        if (!leads) {
            requireOpen();
        }
        return leads;
    }

    @Override
    public final LeaderWork.@Nullable Permit admit(WhenRevoked whenRevoked, Supplier<String> name) {
        LeaderWork work = work();
        return work == null ? null : work.admit(term(), whenRevoked, name);
    }

    @Override
    public final void refuse(Leadership term) {
        refused(term.term());
    }

    @Override
    public final boolean runIfLeader(Consumer<Leadership> call) {
        LeaderWork work = work();
        return work != null && work.run(term(), call);
    }

    /** Null if this process does not lead and nothing was admitted before: most elections guard nothing. */
    private @Nullable LeaderWork work() {
        return term() == null ? publisher.workSoFar() : publisher.work();
    }

    @Override
    public void removeListener(ElectionListener listener) {
        publisher.remove(listener);
    }

    @Override
    public final void whenClosed(Runnable action) {
        publisher.whenClosed(action);
    }

    @Override
    public final void addMonitor(ElectionMonitor monitor) {
        publisher.add(monitor);
    }

    @Override
    public String toString() {
        return "election '%s' at %s".formatted(name, path);
    }
}
