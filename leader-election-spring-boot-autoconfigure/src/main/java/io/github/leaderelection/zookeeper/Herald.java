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
import io.github.leaderelection.support.Listeners;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes known what an election of this process has come to: to those who ask, by a snapshot that can be read without a
 * lock; to listeners; to those who wait; to the log. It also sees to it that leader-only work is drained.
 */
final class Herald implements Outlet {

    private static final Logger log = LoggerFactory.getLogger(ZooKeeperElection.class);

    private final Election election;
    private final Ballot.Setting setting;
    private final Duration drainTimeout;
    private final Clock clock;
    private final Timers timers;
    private final Listeners listeners;
    private final Consumer<Signal> signals;
    private final LeaderWork work = new LeaderWork();
    private final Object change = new Object();
    private List<CompletableFuture<Boolean>> departures = new ArrayList<>();
    private List<Runnable> closures = new ArrayList<>(2);
    private @Nullable Term lastGranted;
    private Consumer<ElectionListener> lastLeader = listener -> {};
    private volatile Snapshot snapshot;

    private record Snapshot(Ballot ballot, @Nullable Term term) {
        boolean closed() {
            return ballot.stage() instanceof Stage.Closed;
        }
    }

    Herald(
            Election election,
            Ballot.Setting setting,
            Duration drainTimeout,
            Clock clock,
            Timers timers,
            Listeners listeners,
            Consumer<Signal> signals) {
        this.election = election;
        this.setting = setting;
        this.drainTimeout = drainTimeout;
        this.clock = clock;
        this.timers = timers;
        this.listeners = listeners;
        this.signals = signals;
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

    LeaderWork work() {
        return work;
    }

    /** Whether the caller is one of those that a hand-over would have to wait for. */
    boolean callsFromWithin() {
        return listeners.delivers() || work.runsHere();
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
                stage instanceof Stage.Seated seated ? Optional.of(candidate(seated.seat())) : Optional.empty(),
                stage instanceof Stage.Following following
                        ? Optional.of(following.predecessor().node())
                        : Optional.empty(),
                leadership,
                Optional.ofNullable(now.ballot().error()));
    }

    private Candidate candidate(Seat seat) {
        long sequence = NodeName.parse(seat.node()).map(NodeName::sequence).orElse(-1);
        return new Candidate(
                setting.id(), setting.metadata(), sequence, seat.czxid(), Instant.ofEpochMilli(seat.ctime()));
    }

    boolean awaitLeadership(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(timeout), Long.MAX_VALUE / 2);
        synchronized (change) {
            while (!election.isLeader() && !isClosed()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(change, left);
            }
        }
        return election.isLeader();
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

    void whenLeft(CompletableFuture<Boolean> departure) {
        departures.add(departure);
    }

    void whenClosed(Runnable action) {
        if (isClosed()) {
            action.run();
        } else {
            closures.add(action);
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
                long number = leading.term();
                term = new Term(
                        setting.name(),
                        setting.node(leading.seat().node()),
                        candidate(leading.seat()),
                        leading,
                        clock,
                        () -> signals.accept(new Signal.Lapsed(number)));
            }
        }
        if (before.term() != null && before.term() != term) {
            before.term().end();
        }
        snapshot = new Snapshot(ballot, term);
        if (term != before.term() || isClosed()) {
            synchronized (change) {
                change.notifyAll();
            }
        }
        if (isClosed() && !before.closed()) {
            List<Runnable> actions = closures;
            closures = new ArrayList<>();
            actions.forEach(Runnable::run);
        }
    }

    @Override
    public void granted(long number) {
        Term term = snapshot.term();
        if (term != null) {
            lastGranted = term;
            log.info(
                    "Election '{}': {} leads (term {}, fencing token {})",
                    setting.name(),
                    setting.id(),
                    number,
                    term.fencingToken());
            listeners.tell(listener -> listener.granted(term), () -> refuse(term));
        }
    }

    private void refuse(@Nullable Term term) {
        if (term != null) {
            signals.accept(new Signal.Refused(term.term()));
        }
    }

    @Override
    public void revoked(long number, RevocationReason reason) {
        Term term = lastGranted;
        if (term != null && term.term() == number) {
            Duration reign = Duration.between(term.since(), Instant.ofEpochMilli(clock.millis()));
            log.info(
                    "Election '{}': {} leads no more: {} (term {}, fencing token {}, after {})",
                    setting.name(),
                    setting.id(),
                    reason,
                    number,
                    term.fencingToken(),
                    reign);
            listeners.tell(listener -> listener.revoked(term, reason));
        }
    }

    @Override
    public void drain(long term) {
        Drain.begin(
                setting.name(),
                listeners,
                work,
                drainTimeout,
                (delay, task) -> timers.at(clock.nanos() + delay.toNanos(), task),
                interrupted -> signals.accept(new Signal.Drained(term)));
    }

    @Override
    public void left(boolean confirmed) {
        List<CompletableFuture<Boolean>> waiting = departures;
        departures = new ArrayList<>();
        waiting.forEach(departure -> departure.complete(confirmed));
    }

    @Override
    public void ended() {
        log.info("Election '{}' has ended: {} was deleted", setting.name(), setting.path());
        listeners.tell(listener -> listener.ended(election));
    }

    @Override
    public void failed(ElectionException cause) {
        log.warn("Election '{}': {}", setting.name(), cause.getMessage());
        listeners.tell(listener -> listener.failed(election, cause));
    }

    void leaderChanged(Optional<Candidate> leader) {
        lastLeader = listener -> listener.leaderChanged(election, leader);
        listeners.tell(lastLeader);
    }
}
