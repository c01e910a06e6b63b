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
import io.github.leaderelection.support.Chronicle;
import io.github.leaderelection.support.Drain;
import io.github.leaderelection.support.Listeners;
import io.github.leaderelection.support.Probe;
import io.github.leaderelection.support.Vitals;
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
 * Makes known what an election of this process has come to: to those who ask, by a snapshot that can be read without a
 * lock; to listeners; to those who wait; to the log. It also sees to it that leader-only work is drained.
 */
final class Herald implements Outlet, Term.Listener {

    /** The election whose herald it is. */
    interface Owner extends Election {
        void signal(Signal signal);

        /** Comes once, on the loop, when it is over for this process. */
        void closed();
    }

    private final Owner election;
    private final Ballot.Setting setting;
    private final Duration drainTimeout;
    private final Clock clock;
    private final Timers timers;
    private final Listeners listeners;
    /** Made for the first call: there may be thousands of elections, and most of them guard nothing. */
    private volatile @Nullable LeaderWork work;

    private volatile List<Probe> probes = List.of();
    private List<CompletableFuture<Boolean>> departures = List.of();
    private List<Runnable> closures = List.of();
    private @Nullable Term lastGranted;
    private Consumer<ElectionListener> lastLeader = listener -> {};
    private @Nullable Long predecessorGone;
    private Role role = Role.OBSERVER;
    private volatile int candidates;
    private volatile Snapshot snapshot;

    private record Snapshot(Ballot ballot, @Nullable Term term) {
        boolean closed() {
            return ballot.stage() instanceof Stage.Closed;
        }
    }

    Herald(
            Owner election,
            Ballot.Setting setting,
            Duration drainTimeout,
            Clock clock,
            Timers timers,
            Listeners listeners) {
        this.election = election;
        this.setting = setting;
        this.drainTimeout = drainTimeout;
        this.clock = clock;
        this.timers = timers;
        this.listeners = listeners;
        this.snapshot = new Snapshot(Ballot.of(setting), null);
    }

    // for anybody, on any thread

    @Nullable
    Term term() {
        return snapshot.term();
    }

    boolean isClosed() {
        return snapshot.closed();
    }

    boolean hasEnded() {
        return snapshot.ballot().stage() instanceof Stage.Closed closed && closed.ended();
    }

    Vitals vitals(boolean connected) {
        Snapshot now = snapshot;
        Term term = now.term();
        return new Vitals(connected, hasEnded(), now.closed() ? 0 : candidates, term == null ? 0 : term.remaining());
    }

    synchronized void add(Probe probe) {
        probes = plus(probes, probe);
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
        return listeners.delivers() || work().runsHere();
    }

    ElectionStatus status(boolean resigned) {
        Snapshot now = snapshot;
        Stage stage = now.ballot().stage();
        Term term = now.term();
        Optional<Leadership> leadership = term != null && term.isValid() ? Optional.of(term) : Optional.empty();
        Role role = stage.role() == Role.LEADER && leadership.isEmpty() ? Role.CANDIDATE : stage.role();
        return new ElectionStatus(
                setting.name(),
                setting.path(),
                resigned ? Role.CLOSED : role,
                stage instanceof Stage.Seated seated ? Optional.of(setting.candidate(seated.seat())) : Optional.empty(),
                stage instanceof Stage.Following following
                        ? Optional.of(following.predecessor().node())
                        : Optional.empty(),
                leadership,
                Optional.ofNullable(now.ballot().error()));
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
    private Chronicle chronicle() {
        return new Chronicle(setting.name(), setting.candidateId());
    }

    void remove(ElectionListener listener) {
        listeners.remove(listener);
    }

    // on the loop

    void add(ElectionListener listener) {
        Snapshot now = snapshot;
        Term term = now.term();
        Consumer<ElectionListener> leader = lastLeader;
        listeners.add(
                listener,
                newcomer -> {
                    if (term != null) {
                        newcomer.granted(term);
                    }
                    leader.accept(newcomer);
                    if (now.ballot().stage() instanceof Stage.Closed closed && closed.ended()) {
                        newcomer.ended(election);
                    }
                },
                () -> refuse(term));
    }

    void listed(int candidates) {
        this.candidates = candidates;
    }

    void whenLeft(CompletableFuture<Boolean> departure) {
        departures = plus(departures, departure);
    }

    void whenClosed(Runnable action) {
        if (isClosed()) {
            action.run();
        } else {
            closures = plus(closures, action);
        }
    }

    @Override
    public void published(Ballot ballot) {
        Snapshot before = snapshot;
        Term term = null;
        if (ballot.stage() instanceof Stage.Leading leading) {
            term = before.term();
            if (term != null && term.term() == leading.term()) {
                term.renew(leading);
            } else {
                term = new Term(setting, leading, clock, this);
            }
        }
        if (before.term() != null && before.term() != term) {
            before.term().end();
        }
        ballot.stage().candidates().ifPresent(this::listed);
        predecessorGone = predecessorGone(before.ballot().stage(), ballot.stage());
        snapshot = new Snapshot(ballot, term);
        tell(ballot.stage());
        if (term != before.term() || isClosed()) {
            synchronized (this) {
                notifyAll();
            }
        }
        if (isClosed() && !before.closed()) {
            List<Runnable> actions = closures;
            closures = List.of();
            election.closed();
            actions.forEach(Runnable::run);
        }
    }

    /** The beginning and the end of a term are told by themselves, and what is passed on the way is not told at all. */
    private void tell(Stage stage) {
        Role before = role;
        if (stage.role() == before || stage instanceof Stage.Leaving) {
            return;
        }
        role = stage.role();
        if (stage instanceof Stage.Following following) {
            chronicle().follows(following.predecessor().node());
        } else if (role == Role.CANDIDATE && before == Role.OBSERVER) {
            chronicle().nominated();
        } else if (role == Role.OBSERVER) {
            chronicle().withdrawn();
        } else if (stage instanceof Stage.Closed closed && !closed.ended()) {
            chronicle().closed();
        }
    }

    /** When this candidate saw the one before it go, as long as it is on its way to take over. */
    private @Nullable Long predecessorGone(Stage before, Stage now) {
        boolean onItsWay =
                now instanceof Stage.Seated && now.role() != Role.FOLLOWER && !(now instanceof Stage.Detached);
        if (!onItsWay) {
            return null;
        }
        return before.role() == Role.FOLLOWER ? Long.valueOf(clock.nanos()) : predecessorGone;
    }

    @Override
    public void granted(long number) {
        Term term = snapshot.term();
        if (term != null) {
            lastGranted = term;
            Duration time = predecessorGone == null ? null : Duration.ofNanos(clock.nanos() - predecessorGone);
            predecessorGone = null;
            listeners.tell(listener -> listener.granted(term), () -> refuse(term));
            chronicle().granted(term, time);
            if (time != null) {
                probes.forEach(probe -> probe.tookOver(time));
            }
        }
    }

    @Override
    public void lapsed(Term term) {
        election.signal(new Signal.Lapsed(term.term()));
    }

    private void refuse(@Nullable Term term) {
        if (term != null) {
            election.signal(new Signal.Refused(term.term()));
        }
    }

    @Override
    public void revoked(long number, RevocationReason reason) {
        Term term = lastGranted;
        if (term != null && term.term() == number) {
            work().revoke();
            listeners.tell(listener -> listener.revoked(term, reason));
            chronicle().revoked(term, reason, Duration.between(term.since(), Instant.ofEpochMilli(clock.millis())));
        }
    }

    @Override
    public void drain(long term) {
        Drain.begin(
                setting.name(),
                listeners,
                work(),
                drainTimeout,
                (delay, task) -> timers.at(clock.nanos() + delay.toNanos(), task),
                overran -> {
                    if (overran) {
                        probes.forEach(Probe::overran);
                    }
                    election.signal(new Signal.Drained(term));
                });
    }

    @Override
    public void left(boolean confirmed) {
        if (!confirmed) {
            chronicle().unconfirmed();
        }
        List<CompletableFuture<Boolean>> waiting = departures;
        departures = List.of();
        waiting.forEach(departure -> departure.complete(confirmed));
    }

    @Override
    public void ended() {
        chronicle().ended(setting.path());
        listeners.tell(listener -> listener.ended(election));
    }

    @Override
    public void failed(ElectionException cause) {
        chronicle().failed(cause);
        listeners.tell(listener -> listener.failed(election, cause));
    }

    void leaderChanged(Optional<Candidate> leader) {
        chronicle().ledBy(leader.map(Candidate::id).orElse(null));
        lastLeader = listener -> listener.leaderChanged(election, leader);
        listeners.tell(lastLeader);
    }
}
