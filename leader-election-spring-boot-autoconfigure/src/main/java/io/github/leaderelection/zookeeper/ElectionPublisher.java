package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.Drain;
import io.github.leaderelection.support.ElectionGauges;
import io.github.leaderelection.support.ElectionLog;
import io.github.leaderelection.support.ElectionMonitor;
import io.github.leaderelection.support.Listeners;
import io.github.leaderelection.zookeeper.protocol.AwaitingLeaseEnd;
import io.github.leaderelection.zookeeper.protocol.Closed;
import io.github.leaderelection.zookeeper.protocol.Detached;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Following;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Outgoing;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes known what an election of this process has come to: to those who ask, by what can be read without a
 * lock; to listeners; to those who wait; to the log. It also sees to it that leader-only work is drained.
 */
final class ElectionPublisher implements ElectionCallbacks, Term.Listener {

    /** The election whose herald it is. */
    interface Owner extends Election {
        void handle(Event event);

        /** Comes once, on the loop, when it is over for this process. */
        void closed();
    }

    private final Owner election;
    private final ElectionState.Config config;
    private final Listeners listeners;
    private final EngineContext context;
    /** Made for the first call: there may be thousands of elections, and most of them guard nothing. */
    private volatile @Nullable LeaderWork work;

    private volatile List<ElectionMonitor> monitors = List.of();
    private List<CompletableFuture<Boolean>> departures = List.of();
    private List<Runnable> closures = List.of();
    private @Nullable Term lastGranted;
    private @Nullable Consumer<ElectionListener> lastLeader;
    private @Nullable Long predecessorGone;
    private Role role = Role.OBSERVER;
    private volatile int candidates;
    private volatile ElectionState current;
    private volatile @Nullable Term term;

    ElectionPublisher(Owner election, ElectionState.Config config, Listeners listeners, EngineContext context) {
        this.election = election;
        this.config = config;
        this.listeners = listeners;
        this.context = context;
        this.current = ElectionState.of(config);
    }

    // for anybody, on any thread

    @Nullable
    Term term() {
        return term;
    }

    /** Whether only queries are answered; it may still be on its way out. */
    boolean isClosed() {
        return current.state().role() == Role.CLOSED;
    }

    boolean hasEnded() {
        return current.state().ended();
    }

    /** Whether nothing is left to be done. */
    boolean isOver() {
        return current.state() instanceof Closed;
    }

    ElectionGauges gauges(boolean connected) {
        Term now = term;
        return new ElectionGauges(
                connected, hasEnded(), isClosed() ? 0 : candidates, now == null ? 0 : now.remaining());
    }

    synchronized void add(ElectionMonitor monitor) {
        monitors = plus(monitors, monitor);
    }

    void tell(Consumer<ElectionMonitor> event) {
        ElectionMonitor.tell(config.name(), monitors, event);
    }

    /** Lists that are mostly empty, of objects of which there may be thousands. */
    private static <T> List<T> plus(List<T> some, T another) {
        return some.isEmpty()
                ? List.of(another)
                : Stream.concat(some.stream(), Stream.of(another)).toList();
    }

    LeaderWork work() {
        LeaderWork known = work;
        return known != null ? known : makeWork();
    }

    private synchronized LeaderWork makeWork() {
        LeaderWork known = work;
        if (known == null) {
            known = new LeaderWork();
            work = known;
        }
        return known;
    }

    /** Whether the caller is one of those that a hand-over would have to wait for. */
    boolean callsFromWithin() {
        LeaderWork admitted = work;
        return listeners.delivers() || admitted != null && admitted.runsHere();
    }

    ElectionStatus status(boolean resigned) {
        ElectionState now = current;
        State state = now.state();
        Term led = term;
        // Both, since they are read one after the other.
        boolean leads = !resigned && state.role() == Role.LEADER && led != null && led.isValid();
        Optional<Leadership> leadership = leads ? Optional.ofNullable(led) : Optional.empty();
        Role role = state.role() == Role.LEADER && !leads ? Role.CANDIDATE : state.role();
        String error = now.error() == null && !isClosed()
                ? context.engine().connection().trouble()
                : now.error();
        return new ElectionStatus(
                config.name(),
                config.path(),
                resigned ? Role.CLOSED : role,
                state instanceof Queued queued ? Optional.of(config.candidate(queued.ownNode())) : Optional.empty(),
                state instanceof Queued queued
                        ? Optional.ofNullable(queued.followed())
                                .map(following -> following.predecessor().node())
                        : Optional.empty(),
                leadership,
                Optional.ofNullable(error));
    }

    synchronized boolean awaitLeadership(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(timeout), Long.MAX_VALUE / 2);
        while (!election.isLeader() && !isClosed()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return election.isLeader();
    }

    /** Made when there is something to tell: there may be thousands of elections. */
    private ElectionLog electionLog() {
        return new ElectionLog(config.name(), config.candidateId());
    }

    void remove(ElectionListener listener) {
        listeners.remove(listener);
    }

    // on the loop

    void add(ElectionListener listener) {
        Listeners.Audience newcomer = listeners.add(listener);
        // Not the term as it is: one that is over without that having been told is still to be told as a whole.
        Term now = lastGranted;
        if (now != null) {
            newcomer.tell(late -> late.granted(now), () -> refuse(now));
        }
        if (lastLeader != null) {
            newcomer.tell(lastLeader);
        }
        if (hasEnded()) {
            newcomer.tell(late -> late.ended(election));
        }
    }

    void listed(int candidates) {
        this.candidates = candidates;
    }

    void whenLeft(CompletableFuture<Boolean> departure) {
        departures = plus(departures, departure);
    }

    void whenClosed(Runnable action) {
        if (isOver()) {
            action.run();
        } else {
            closures = plus(closures, action);
        }
    }

    /** The same for what is not ours, and may block: it comes after the last event. */
    void tellWhenClosed(Runnable action) {
        whenClosed(() -> context.loop().execute(() -> listeners.later(action)));
    }

    @Override
    public void published(ElectionState now) {
        ElectionState before = current;
        Term last = term;
        Term next = term(now, last);
        if (last != null && last != next) {
            last.end();
        }
        now.state().candidates().ifPresent(this::listed);
        predecessorGone = predecessorGone(before.state(), now.state());
        // In this order: whoever sees the one without the other sees a leader that does not lead yet, or no more.
        current = now;
        term = next;
        tell(before.state(), now.state());
        if (next != last || isClosed()) {
            synchronized (this) {
                notifyAll();
            }
        }
        if (isOver() && !(before.state() instanceof Closed)) {
            List<Runnable> actions = closures;
            closures = List.of();
            election.closed();
            actions.forEach(Runnable::run);
        }
    }

    private @Nullable Term term(ElectionState now, @Nullable Term last) {
        if (!(now.state() instanceof Leading leading)) {
            return null;
        }
        if (last != null && last.term() == leading.term()) {
            last.renew(leading);
            return last;
        }
        return new Term(config, leading, context.clock(), this);
    }

    /** The beginning and the end of a term are logged by themselves; of stages in between only what takes its time. */
    private void tell(State before, State state) {
        Role roleBefore = role;
        boolean waited = before instanceof Queued queued && queued.waited() != null;
        if (state instanceof AwaitingLeaseEnd waiting && !waited) {
            electionLog()
                    .waits(Duration.ofNanos(waiting.until() - context.clock().nanos()));
        }
        if (state.role() == roleBefore || state instanceof Outgoing) {
            return;
        }
        role = state.role();
        if (state instanceof Following following) {
            electionLog().follows(following.predecessor().node());
        } else if (role == Role.CANDIDATE && roleBefore == Role.OBSERVER) {
            electionLog().nominated();
        } else if (role == Role.OBSERVER) {
            electionLog().withdrawn();
        } else if (state instanceof Closed closed && !closed.ended()) {
            electionLog().closed();
        }
    }

    /** When this candidate saw the one before it go, as long as it is on its way to take over. */
    private @Nullable Long predecessorGone(State before, State now) {
        boolean onItsWay = now instanceof Queued && now.role() != Role.FOLLOWER && !(now instanceof Detached);
        if (!onItsWay) {
            return null;
        }
        return before.role() == Role.FOLLOWER ? Long.valueOf(context.clock().nanos()) : predecessorGone;
    }

    @Override
    public void granted(long number) {
        Term granted = term;
        if (granted != null) {
            lastGranted = granted;
            Duration time = predecessorGone == null
                    ? null
                    : Duration.ofNanos(context.clock().nanos() - predecessorGone);
            predecessorGone = null;
            listeners.tell(listener -> listener.granted(granted), () -> refuse(granted));
            electionLog().granted(granted, time);
            if (time != null) {
                tell(monitor -> monitor.tookOver(time));
            }
        }
    }

    /** Whoever asks a term gets an answer, and has nothing to do with what comes of it: that is done by another thread. */
    @Override
    public void lapsed(Term term) {
        context.timers().at(context.clock().nanos(), () -> election.handle(new Event.Lapsed(term.term())));
    }

    private void refuse(Term term) {
        election.handle(new Event.Refused(term.term()));
    }

    @Override
    public void revoked(long number, RevocationReason reason) {
        Term term = lastGranted;
        if (term != null && term.term() == number) {
            lastGranted = null;
            LeaderWork admitted = work;
            if (admitted != null) {
                admitted.revoke();
            }
            listeners.tell(listener -> listener.revoked(term, reason));
            electionLog()
                    .revoked(
                            term,
                            reason,
                            Duration.between(
                                    term.since(),
                                    Instant.ofEpochMilli(context.clock().millis())));
        }
    }

    @Override
    public void drain(long term) {
        Drain.begin(
                config.name(),
                listeners,
                work(),
                term,
                context.options().drainTimeout(),
                (delay, task) -> context.timers().at(context.clock().nanosAfter(delay), task),
                overran -> {
                    election.handle(new Event.Drained(term));
                    if (overran) {
                        tell(ElectionMonitor::overran);
                    }
                });
    }

    @Override
    public void left(boolean confirmed) {
        if (!confirmed) {
            electionLog().unconfirmed();
        }
        List<CompletableFuture<Boolean>> waiting = departures;
        departures = List.of();
        waiting.forEach(departure -> departure.complete(confirmed));
    }

    @Override
    public void ended() {
        electionLog().ended(config.path());
        listeners.tell(listener -> listener.ended(election));
    }

    @Override
    public void failed(ElectionException cause) {
        electionLog().failed(cause);
        connectionFailed(cause);
    }

    /** Not for the log: it has been told there once for all elections. */
    void connectionFailed(ElectionException cause) {
        listeners.tell(listener -> listener.failed(election, cause));
    }

    void leaderChanged(Optional<Candidate> leader) {
        if (hasEnded()) {
            // Who leads there now, leads another election.
            return;
        }
        electionLog().ledBy(leader.map(Candidate::id).orElse(null));
        Consumer<ElectionListener> news = listener -> listener.leaderChanged(election, leader);
        lastLeader = news;
        listeners.tell(news);
    }
}
