package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.Lineup;
import io.github.leaderelection.support.Listeners;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.support.Probe;
import io.github.leaderelection.support.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An election as its users see it: turns calls into signals, and waits for what comes of them. */
final class ZooKeeperElection implements ManagedElection, Herald.Owner {

    private static final Logger log = LoggerFactory.getLogger(ZooKeeperElection.class);

    private final Ballot.Setting setting;
    private final Commons commons;
    private final Herald herald;
    private final Cell cell;
    private volatile @Nullable Parting parting;

    /**
     * Leaving for good. All who wait for it wait until the same moment, also if they come one after the other.
     *
     * @param gone whether the node is known to be gone, once that is decided
     * @param by when waiting for it ends, by the monotonic clock
     */
    private record Parting(CompletableFuture<Boolean> gone, long by) {}

    /** To be called on the loop. */
    ZooKeeperElection(Ballot.Setting setting, boolean observe, Listeners listeners, Commons commons) {
        this.setting = setting;
        this.commons = commons;
        this.herald = new Herald(this, setting, listeners, commons);
        Engine engine = commons.engine();
        this.cell = engine.open(setting, herald);
        if (observe) {
            Observation observation =
                    new Observation(engine.wire(), engine::at, commons.clock(), path(), herald::leaderChanged);
            engine.add(observation);
            herald.whenClosed(observation::close);
        }
    }

    @Override
    public void closed() {
        commons.engine().forget(cell);
        commons.onClosed().accept(this);
    }

    @Override
    public String name() {
        return setting.name();
    }

    @Override
    public String path() {
        return setting.path();
    }

    @Override
    public Role role() {
        return status().role();
    }

    @Override
    public boolean isLeader() {
        Term term = herald.term();
        return term != null && term.isValid();
    }

    @Override
    public Optional<Leadership> leadership() {
        Term term = herald.term();
        return term != null && term.isValid() ? Optional.of(term) : Optional.empty();
    }

    @Override
    public ElectionStatus status() {
        return herald.status(parting != null);
    }

    @Override
    public void nominate() {
        requireOpen();
        signal(new Signal.Nominate());
    }

    @Override
    public boolean awaitLeadership(Duration timeout) throws InterruptedException {
        requireOpen();
        boolean leads = herald.awaitLeadership(timeout);
        if (!leads) {
            requireOpen();
        }
        return leads;
    }

    @Override
    public void stepDown() {
        requireOpen();
        if (!isLeader()) {
            throw notLeading();
        }
        awaitUnlessWithin(depart(RevocationReason.STEPPED_DOWN, Departure.REJOIN), "Stepping down from");
    }

    @Override
    public CompletableFuture<Boolean> withdraw(RevocationReason reason) {
        CompletableFuture<Boolean> left = depart(reason, Departure.OBSERVE);
        if (reason != RevocationReason.WITHDRAWN) {
            return left;
        }
        // After it: whoever looks at the role before that hears of it afterwards.
        var told = CompletableFuture.runAsync(() -> herald.tell(Probe::withdrawn), commons.loop());
        return left.thenCombine(told, (gone, done) -> gone);
    }

    @Override
    public void whenClosed(Runnable action) {
        commons.loop().execute(() -> herald.tellWhenClosed(action));
    }

    @Override
    public Vitals vitals() {
        return herald.vitals(commons.engine().link().isUp());
    }

    @Override
    public void addProbe(Probe probe) {
        herald.add(probe);
    }

    @Override
    public void withdraw() {
        requireOpen();
        awaitUnlessWithin(withdraw(RevocationReason.WITHDRAWN), "Withdrawing from");
    }

    private void awaitUnlessWithin(CompletableFuture<Boolean> departure, String what) {
        if (!callsFromWithin() && !await(departure, patience(), what)) {
            throw new ElectionConnectionException(
                    "%s election '%s' was not confirmed by ZooKeeper: the session ended before"
                            .formatted(what, name()));
        }
    }

    @Override
    public Resignation resign() {
        requireOpen();
        return await(part(RevocationReason.RESIGNED));
    }

    private Resignation await(Parting parting) {
        boolean confirmed = false;
        long timeLeft = parting.by() - commons.clock().nanos();
        if (parting.gone().isDone() || !callsFromWithin() && timeLeft > 0) {
            try {
                confirmed = await(parting.gone(), Duration.ofNanos(timeLeft), "Resigning from");
            } catch (ElectionConnectionException late) {
                log.warn(
                        "Resigning from election '{}' was not confirmed by ZooKeeper within {}. Its node disappears when the"
                                + " session ends",
                        name(),
                        patience());
            }
        }
        return confirmed
                ? new Resignation(Resignation.Outcome.CONFIRMED, Instant.now())
                : new Resignation(
                        Resignation.Outcome.UNCONFIRMED,
                        Instant.now().plusMillis(commons.engine().link().sessionTimeout()));
    }

    /** Leaves without waiting; tells whether the node is known to be gone. */
    CompletableFuture<Boolean> leaveForGood(RevocationReason reason) {
        return part(reason).gone();
    }

    private Parting part(RevocationReason reason) {
        Parting begun;
        synchronized (this) {
            Parting earlier = parting;
            if (earlier != null) {
                return earlier;
            }
            begun = new Parting(new CompletableFuture<>(), commons.clock().nanosAfter(patience()));
            parting = begun;
        }
        depart(reason, Departure.CLOSE, begun.gone());
        return begun;
    }

    @Override
    public void close() {
        try {
            await(part(RevocationReason.RESIGNED));
        } catch (ElectionException interrupted) {
            log.debug("{}", interrupted.getMessage());
        }
    }

    boolean callsFromWithin() {
        return herald.callsFromWithin();
    }

    boolean isClosed() {
        return parting != null || herald.isClosed();
    }

    /** Tells of trouble with the connection; on the loop. */
    void connectionFailed(ElectionException cause) {
        herald.connectionFailed(cause);
    }

    @Override
    public Optional<Candidate> leader() {
        return await(() -> electorate().leader(), "Reading the leader of");
    }

    @Override
    public List<Candidate> candidates() {
        return await(this::listCandidates, "Listing the candidates of");
    }

    @Override
    public void delete() {
        boolean ended = herald.hasEnded();
        if (ended && herald.isOver()) {
            return;
        }
        if (!ended) {
            requireOpen();
        }
        var deleted = new CompletableFuture<Boolean>();
        commons.loop()
                .execute(() -> commons.engine()
                        .delete(
                                path(),
                                ended,
                                () -> {
                                    commons.engine().signal(cell, new Signal.Deleted());
                                    herald.whenClosed(() -> deleted.complete(true));
                                },
                                deleted::completeExceptionally));
        if (!callsFromWithin()) {
            // The leader's last term has to be over, whether it can be told or not.
            Link link = commons.engine().link();
            Duration term = Duration.ofMillis((long) (1.1 * Math.max(link.lease(), link.sessionTimeout())));
            await(deleted, patience().plus(term), "Deleting");
        }
    }

    @Override
    public LeaderWork.@Nullable Permit admit() {
        Term term = herald.term();
        return term == null ? null : herald.work().admit(term);
    }

    @Override
    public boolean runIfLeader(Consumer<Leadership> work) {
        requireOpen();
        Term term = herald.term();
        return term != null && herald.work().run(term, work);
    }

    @Override
    public void addListener(ElectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        requireOpen();
        commons.loop().execute(() -> herald.add(listener));
    }

    @Override
    public void removeListener(ElectionListener listener) {
        herald.remove(listener);
        // Its addition may still be waiting for the loop.
        commons.loop().execute(() -> herald.remove(listener));
    }

    @Override
    public String toString() {
        return "election '%s' at %s".formatted(name(), path());
    }

    private Electorate electorate() {
        return new Electorate(commons.engine().wire(), path());
    }

    @Override
    public void signal(Signal signal) {
        commons.loop().execute(() -> commons.engine().signal(cell, signal));
    }

    private CompletableFuture<Boolean> depart(RevocationReason reason, Departure then) {
        var left = new CompletableFuture<Boolean>();
        depart(reason, then, left);
        return left;
    }

    private void depart(RevocationReason reason, Departure then, CompletableFuture<Boolean> left) {
        commons.loop().execute(() -> {
            Stage stage = cell.ballot().stage();
            if (stage instanceof Stage.Closed || then == Departure.OBSERVE && stage instanceof Stage.Observing) {
                left.complete(true);
            } else if (then == Departure.REJOIN && !(stage instanceof Stage.Leading)) {
                left.completeExceptionally(notLeading());
            } else {
                herald.whenLeft(left);
                commons.engine().signal(cell, new Signal.Leave(reason, then));
            }
        });
    }

    private Duration patience() {
        return commons.options().connectionTimeout().plus(commons.options().drainTimeout());
    }

    @Override
    public CompletableFuture<Lineup> lineup() {
        return onLoop(() -> electorate().leader().thenCombine(listCandidates(), Lineup::new));
    }

    private CompletableFuture<List<Candidate>> listCandidates() {
        return electorate().candidates().whenComplete((candidates, failure) -> {
            if (failure == null) {
                herald.listed(candidates.size());
            }
        });
    }

    private <T> T await(Supplier<CompletableFuture<T>> read, String what) {
        return await(onLoop(read), commons.options().connectionTimeout(), what);
    }

    private <T> CompletableFuture<T> onLoop(Supplier<CompletableFuture<T>> read) {
        return CompletableFuture.supplyAsync(read, commons.loop()).thenCompose(Function.identity());
    }

    private <T> T await(CompletableFuture<T> future, Duration timeout, String what) {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new ElectionConnectionException(
                    "%s election '%s' was not confirmed by ZooKeeper within %s".formatted(what, name(), timeout));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ElectionException(
                    "%s election '%s' was interrupted; it goes on in the background".formatted(what, name()));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new ElectionException("%s election '%s' failed".formatted(what, name()), failed);
        }
    }

    private IllegalStateException notLeading() {
        return new IllegalStateException("Cannot step down from election '%s': this candidate does not lead (role %s)"
                .formatted(name(), role()));
    }

    private void requireOpen() {
        if (isClosed()) {
            throw new ElectionClosedException("Election '%s' is closed (%s)"
                    .formatted(name(), herald.hasEnded() ? "it was deleted" : "this candidate has resigned"));
        }
    }
}
