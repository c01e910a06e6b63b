package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
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
import io.github.leaderelection.support.Listeners;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** An election as its users see it: turns calls into signals, and waits for what comes of them. */
final class ZooKeeperElection implements Election {

    private final Ballot.Setting setting;
    private final ElectionOptions options;
    private final Loop loop;
    private final Engine engine;
    private final Herald herald;
    private final Electorate electorate;
    private final Engine.Cell cell;
    private volatile boolean resigned;

    /** To be called on the loop. */
    ZooKeeperElection(
            Ballot.Setting setting,
            ElectionOptions options,
            Loop loop,
            Engine engine,
            Timers timers,
            Clock clock,
            Listeners listeners,
            Consumer<ZooKeeperElection> onClosed) {
        this.setting = setting;
        this.options = options;
        this.loop = loop;
        this.engine = engine;
        this.electorate = new Electorate(engine::send, setting.path());
        this.herald = new Herald(this, setting, options.drainTimeout(), clock, timers, listeners, this::signal);
        this.cell = engine.open(setting, herald);
        if (options.observe()) {
            Observation observation = new Observation(engine::send, engine::at, clock, path(), herald::leaderChanged);
            engine.add(observation);
            herald.whenClosed(() -> {
                engine.remove(observation);
                observation.close();
            });
        }
        herald.whenClosed(() -> {
            engine.forget(cell);
            onClosed.accept(this);
        });
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
        return herald.status(resigned);
    }

    @Override
    public void nominate() {
        requireOpen();
        signal(new Signal.Nominate());
    }

    @Override
    public boolean awaitLeadership(Duration timeout) throws InterruptedException {
        requireOpen();
        return herald.awaitLeadership(timeout);
    }

    @Override
    public void stepDown() {
        requireOpen();
        if (!isLeader()) {
            throw notLeading();
        }
        CompletableFuture<Boolean> handedOver = depart(RevocationReason.STEPPED_DOWN, Departure.REJOIN);
        if (!herald.callsFromWithin()) {
            await(handedOver, patience(), "Stepping down from");
        }
    }

    @Override
    public void withdraw() {
        withdraw(RevocationReason.WITHDRAWN);
    }

    void withdraw(RevocationReason reason) {
        requireOpen();
        CompletableFuture<Boolean> gone = depart(reason, Departure.OBSERVE);
        if (!herald.callsFromWithin()) {
            await(gone, patience(), "Withdrawing from");
        }
    }

    @Override
    public Resignation resign() {
        requireOpen();
        return resign(RevocationReason.RESIGNED);
    }

    private Resignation resign(RevocationReason reason) {
        CompletableFuture<Boolean> gone = leaveForGood(reason);
        boolean confirmed = false;
        if (!herald.callsFromWithin() || gone.isDone()) {
            try {
                confirmed = await(gone, patience(), "Resigning from");
            } catch (ElectionConnectionException unconfirmed) {
                confirmed = false;
            }
        }
        return confirmed
                ? new Resignation(Resignation.Outcome.CONFIRMED, Instant.now())
                : new Resignation(Resignation.Outcome.UNCONFIRMED, Instant.now().plusMillis(engine.sessionTimeout()));
    }

    /** Leaves without waiting; tells whether the node is known to be gone. */
    CompletableFuture<Boolean> leaveForGood(RevocationReason reason) {
        resigned = true;
        return depart(reason, Departure.CLOSE);
    }

    @Override
    public void close() {
        if (!resigned) {
            try {
                resign(RevocationReason.RESIGNED);
            } catch (ElectionException interrupted) {
                // Best effort: the resignation goes on in the background.
            }
        }
    }

    boolean isClosed() {
        return resigned || herald.isClosed();
    }

    /** Tells of trouble with the connection; on the loop. */
    void failed(ElectionException cause) {
        herald.failed(cause);
    }

    @Override
    public Optional<Candidate> leader() {
        return await(electorate::leader, "Reading the leader of");
    }

    @Override
    public List<Candidate> candidates() {
        return await(electorate::candidates, "Listing the candidates of");
    }

    @Override
    public void delete() {
        if (herald.hasEnded()) {
            return;
        }
        requireOpen();
        var deleted = new CompletableFuture<Boolean>();
        loop.execute(() -> engine.delete(
                path(),
                () -> {
                    engine.signal(cell, new Signal.Deleted());
                    herald.whenClosed(() -> deleted.complete(true));
                },
                deleted::completeExceptionally));
        Duration lease = Duration.ofMillis((long) (1.1 * Math.max(engine.lease(), engine.sessionTimeout())));
        await(deleted, options.connectionTimeout().plus(lease), "Deleting");
    }

    @Override
    public boolean runIfLeader(Consumer<Leadership> work) {
        requireOpen();
        Term term = herald.term();
        if (term == null) {
            return false;
        }
        try (LeaderWork.Permit permit = herald.work().admit(term)) {
            if (permit == null) {
                return false;
            }
            permit.run(() -> work.accept(term));
            return true;
        }
    }

    @Override
    public void addListener(ElectionListener listener) {
        loop.execute(() -> herald.add(listener));
    }

    @Override
    public void removeListener(ElectionListener listener) {
        herald.remove(listener);
    }

    @Override
    public String toString() {
        return "election '%s' at %s".formatted(name(), path());
    }

    private void signal(Signal signal) {
        loop.execute(() -> engine.signal(cell, signal));
    }

    private CompletableFuture<Boolean> depart(RevocationReason reason, Departure then) {
        var left = new CompletableFuture<Boolean>();
        loop.execute(() -> {
            Stage stage = cell.ballot().stage();
            if (stage instanceof Stage.Closed || then == Departure.OBSERVE && stage instanceof Stage.Observing) {
                left.complete(true);
            } else if (then == Departure.REJOIN && !(stage instanceof Stage.Leading)) {
                left.completeExceptionally(notLeading());
            } else {
                herald.whenLeft(left);
                engine.signal(cell, new Signal.Leave(reason, then));
            }
        });
        return left;
    }

    private Duration patience() {
        return options.connectionTimeout().plus(options.drainTimeout());
    }

    private <T> T await(Supplier<CompletableFuture<T>> read, String what) {
        var result = new CompletableFuture<T>();
        loop.execute(() -> read.get().whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        }));
        return await(result, options.connectionTimeout(), what);
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
