package io.github.leaderelection.support;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the changes of one election to its listeners, to threads that wait for leadership, to monitors, to
 * leader-only work, and to the log.
 *
 * <p>An election reports its changes one at a time, on one thread or under one lock, and listeners are notified in that
 * order. Reporting a change does not run code of the application: {@link Delivery} determines where that code runs.
 */
public final class ElectionPublisher {

    private final AbstractElection election;
    private final Delivery delivery;
    private final Listeners listeners;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile List<ElectionMonitor> monitors = List.of();
    /** Created for the first call: there may be thousands of elections, and most of them guard nothing. */
    private volatile @Nullable LeaderWork work;

    /** The drain of the last term that has ended. */
    private volatile @Nullable Drain drain;

    private @Nullable Leadership grantedTerm;
    private @Nullable Consumer<ElectionListener> lastLeader;

    ElectionPublisher(AbstractElection election, Delivery delivery) {
        this.election = election;
        this.delivery = delivery;
        this.listeners = new Listeners(election.name(), delivery.listeners());
    }

    /** Created when needed: there may be thousands of elections. */
    public ElectionLog log() {
        return new ElectionLog(election.name(), delivery.candidateId());
    }

    String election() {
        return election.name();
    }

    // the changes of an election, one at a time

    /**
     * A term has begun.
     *
     * @param handover the time since the predecessor's end; null if there was no predecessor
     * @param leaderless for how long at most no candidate led; null if that is unknown
     */
    public void granted(Leadership term, @Nullable Duration handover, @Nullable Duration leaderless) {
        grantedTerm = term;
        listeners.tell(listener -> listener.granted(term), () -> election.refused(term.term()));
        log().granted(term, handover, leaderless);
        if (handover != null) {
            tell(monitor -> monitor.tookOver(handover));
        }
    }

    /** A term has ended, and is drained from now on. Has no effect unless that term was granted. */
    public void revoked(long number, RevocationReason reason, Instant ended) {
        Leadership term = grantedTerm;
        if (term == null || term.term() != number) {
            return;
        }
        grantedTerm = null;
        LeaderWork admitted = work;
        if (admitted != null) {
            delivery.callbacks().execute(() -> admitted.revoke(number, reason.isLoss()));
        }
        listeners.tell(listener -> listener.revoked(term, reason));
        var draining = new Drain(this, number, admitted);
        drain = draining;
        draining.begin(listeners, delivery);
        log().revoked(term, reason, ended);
    }

    /** Calls back on any thread when the last term is drained, or the drain timeout has elapsed since its end. */
    public void whenDrained(Runnable callback) {
        Drain last = drain;
        if (last == null) {
            callback.run();
        } else {
            last.drained().thenRun(callback);
        }
    }

    /**
     * Calls back on any thread when all listeners have returned from the revocation of the last term. This process must not
     * lead before that: a listener may still be working for that term.
     */
    public void whenHeard(Runnable callback) {
        Drain last = drain;
        if (last == null) {
            callback.run();
        } else {
            last.heard().thenRun(callback);
        }
    }

    /** The leadership was taken from a leader that had fallen silent. */
    public void tookOverFromSilentLeader() {
        tell(ElectionMonitor::tookOverFromSilentLeader);
    }

    /** Leadership was handed to a chosen candidate. */
    public void moved(String to, MoveCause cause) {
        log().moved(to, cause);
        tell(monitor -> monitor.moved(cause));
    }

    void overran() {
        tell(ElectionMonitor::overran);
    }

    public void leaderChanged(Optional<Candidate> leader) {
        Consumer<ElectionListener> event = listener -> listener.leaderChanged(election, leader);
        lastLeader = event;
        listeners.tell(event);
        log().leaderChanged(leader.map(Candidate::id).orElse(null));
    }

    /** Listeners that are added later are not notified of the last leader. */
    public void forgetLeader() {
        lastLeader = null;
    }

    public void ended() {
        listeners.tell(listener -> listener.ended(election));
        log().ended(election.path());
    }

    public void failed(ElectionException cause) {
        connectionFailed(cause);
        log().failed(cause);
    }

    /** Not logged: one line serves all elections of the connection. */
    public void connectionFailed(ElectionException cause) {
        listeners.tell(listener -> listener.failed(election, cause));
    }

    /** The election is closed, and reports no further changes. */
    public void closed() {
        closed.complete(null);
    }

    /** Adds a listener, and first notifies it of the current state. */
    public void add(ElectionListener listener) {
        if (listeners.add(listener)) {
            // Not the current term: if that is over but not revoked yet, the listener has to receive both events.
            Leadership term = grantedTerm;
            if (term != null) {
                listeners.tell(listener, late -> late.granted(term), () -> election.refused(term.term()));
            }
            if (lastLeader != null) {
                listeners.tell(listener, lastLeader, null);
            }
            if (election.isClosed() && election.gauges().ended()) {
                listeners.tell(listener, late -> late.ended(election), null);
            }
        }
    }

    // at any time, on any thread

    /** Whether all listeners have returned from the revocation of the last term. */
    public boolean isHeard() {
        Drain last = drain;
        return last == null || last.heard().isDone();
    }

    /** What keeps this process out of the queue: a listener that exceeded the drain timeout; null if there is none. */
    public @Nullable String obstacle() {
        Drain last = drain;
        String busy = last == null ? null : last.busy();
        return busy == null
                ? null
                : "This instance stays out of the queue until a listener returns that is still busy with an earlier term: "
                        + busy;
    }

    public void remove(ElectionListener listener) {
        listeners.remove(listener);
    }

    public void withdrawn() {
        tell(ElectionMonitor::withdrawn);
    }

    private void tell(Consumer<ElectionMonitor> event) {
        List<ElectionMonitor> audience = monitors;
        if (!audience.isEmpty()) {
            delivery.callbacks().execute(() -> ElectionMonitor.tell(election.name(), audience, event));
        }
    }

    synchronized void add(ElectionMonitor monitor) {
        List<ElectionMonitor> more = new ArrayList<>(monitors.size() + 1);
        more.addAll(monitors);
        more.add(monitor);
        monitors = more;
    }

    /** Completes when the election is closed, on the thread that closes it. */
    public CompletableFuture<Void> closure() {
        return closed;
    }

    /** Calls back on a thread of the listeners, after the last event. */
    void whenClosed(Runnable action) {
        closed.thenRun(() -> listeners.later(action));
    }

    /** @throws IllegalStateException if waiting for leadership would be in vain */
    void requireNomination() {
        monitors.forEach(ElectionMonitor::awaitedWithoutNomination);
    }

    /** Waits until this process leads, the election is closed or the timeout has elapsed; returns whether it leads. */
    synchronized boolean awaitLeadership(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(timeout), Long.MAX_VALUE / 2);
        while (!election.isLeader() && !election.isClosed()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return election.isLeader();
    }

    /** To be called after each change that {@link #awaitLeadership} waits for. */
    public synchronized void wakeWaiters() {
        notifyAll();
    }

    /** Null if no work was ever admitted. */
    @Nullable
    LeaderWork workSoFar() {
        return work;
    }

    LeaderWork work() {
        if (work == null) {
            synchronized (this) {
                if (work == null) {
                    work = new LeaderWork();
                }
            }
        }
        return work;
    }

    /** Whether a hand-over would wait for the calling thread, because it runs a listener or leader-only work. */
    boolean callsFromWithin() {
        LeaderWork admitted = work;
        return listeners.delivers() || admitted != null && admitted.runsHere();
    }
}
