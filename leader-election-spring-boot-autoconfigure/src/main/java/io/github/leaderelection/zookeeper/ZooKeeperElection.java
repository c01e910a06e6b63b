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
import io.github.leaderelection.support.ElectionGauges;
import io.github.leaderelection.support.ElectionMonitor;
import io.github.leaderelection.support.Electorate;
import io.github.leaderelection.support.Listeners;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.zookeeper.engine.CandidateReader;
import io.github.leaderelection.zookeeper.engine.ConnectionState;
import io.github.leaderelection.zookeeper.engine.Engine;
import io.github.leaderelection.zookeeper.engine.HostedElection;
import io.github.leaderelection.zookeeper.engine.LeaderObserver;
import io.github.leaderelection.zookeeper.protocol.AfterLeaving;
import io.github.leaderelection.zookeeper.protocol.Closed;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Observing;
import io.github.leaderelection.zookeeper.protocol.State;
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
final class ZooKeeperElection implements ManagedElection, ElectionPublisher.Owner {

    private static final Logger log = LoggerFactory.getLogger(ZooKeeperElection.class);

    private final ElectionState.Config config;
    private final EngineContext context;
    private final ElectionPublisher publisher;
    private final HostedElection hosted;
    private volatile @Nullable Parting parting;

    /**
     * Leaving for good. All who wait for it wait until the same moment, also if they come one after the other.
     *
     * @param gone whether the node is known to be gone, once that is decided
     * @param by when waiting for it ends, by the monotonic clock
     */
    private record Parting(CompletableFuture<Boolean> gone, long by) {}

    /** To be called on the loop. */
    ZooKeeperElection(ElectionState.Config config, boolean observe, Listeners listeners, EngineContext context) {
        this.config = config;
        this.context = context;
        this.publisher = new ElectionPublisher(this, config, listeners, context);
        Engine engine = context.engine();
        this.hosted = engine.open(config, publisher);
        if (observe) {
            LeaderObserver leaderObserver = new LeaderObserver(
                    engine.client(), engine.timers(), context.clock(), path(), publisher::leaderChanged);
            engine.add(leaderObserver);
            publisher.whenClosed(leaderObserver::close);
        }
    }

    @Override
    public void closed() {
        context.engine().forget(hosted);
        context.onClosed().accept(this);
    }

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public String path() {
        return config.path();
    }

    @Override
    public Role role() {
        return status().role();
    }

    @Override
    public boolean isLeader() {
        Term term = publisher.term();
        return term != null && term.isValid();
    }

    @Override
    public Optional<Leadership> leadership() {
        Term term = publisher.term();
        return term != null && term.isValid() ? Optional.of(term) : Optional.empty();
    }

    @Override
    public ElectionStatus status() {
        return publisher.status(parting != null);
    }

    @Override
    public void nominate() {
        requireOpen();
        handle(new Event.Nominate());
    }

    @Override
    public boolean awaitLeadership(Duration timeout) throws InterruptedException {
        requireOpen();
        boolean leads = publisher.awaitLeadership(timeout);
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
        awaitUnlessWithin(depart(RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN), "Stepping down from");
    }

    @Override
    public CompletableFuture<Boolean> withdraw(RevocationReason reason) {
        CompletableFuture<Boolean> left = depart(reason, AfterLeaving.OBSERVE);
        if (reason != RevocationReason.WITHDRAWN) {
            return left;
        }
        // After it: whoever looks at the role before that hears of it afterwards.
        var told = CompletableFuture.runAsync(() -> publisher.tell(ElectionMonitor::withdrawn), context.loop());
        return left.thenCombine(told, (gone, done) -> gone);
    }

    @Override
    public void whenClosed(Runnable action) {
        context.loop().execute(() -> publisher.tellWhenClosed(action));
    }

    @Override
    public ElectionGauges gauges() {
        return publisher.gauges(context.engine().connection().isUp());
    }

    @Override
    public void addMonitor(ElectionMonitor monitor) {
        publisher.add(monitor);
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
        long timeLeft = parting.by() - context.clock().nanos();
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
                        Instant.now().plusMillis(context.engine().connection().sessionTimeout()));
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
            begun = new Parting(new CompletableFuture<>(), context.clock().nanosAfter(patience()));
            parting = begun;
        }
        depart(reason, AfterLeaving.CLOSE, begun.gone());
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
        return publisher.callsFromWithin();
    }

    boolean isClosed() {
        return parting != null || publisher.isClosed();
    }

    /** Tells of trouble with the connection; on the loop. */
    void connectionFailed(ElectionException cause) {
        publisher.connectionFailed(cause);
    }

    @Override
    public Optional<Candidate> leader() {
        return await(() -> candidateReader().leader(), "Reading the leader of");
    }

    @Override
    public List<Candidate> candidates() {
        return await(this::listCandidates, "Listing the candidates of");
    }

    @Override
    public void delete() {
        boolean ended = publisher.hasEnded();
        if (ended && publisher.isOver()) {
            return;
        }
        if (!ended) {
            requireOpen();
        }
        var deleted = new CompletableFuture<Boolean>();
        context.loop()
                .execute(() -> context.engine()
                        .delete(
                                path(),
                                ended,
                                () -> {
                                    context.engine().handle(hosted, new Event.Deleted());
                                    publisher.whenClosed(() -> deleted.complete(true));
                                },
                                deleted::completeExceptionally));
        if (!callsFromWithin()) {
            // The leader's last term has to be over, whether it can be told or not.
            ConnectionState connection = context.engine().connection();
            Duration term = Duration.ofMillis((long) (1.1 * Math.max(connection.lease(), connection.sessionTimeout())));
            await(deleted, patience().plus(term), "Deleting");
        }
    }

    @Override
    public LeaderWork.@Nullable Permit admit() {
        Term term = publisher.term();
        return term == null ? null : publisher.work().admit(term);
    }

    @Override
    public boolean runIfLeader(Consumer<Leadership> work) {
        requireOpen();
        Term term = publisher.term();
        return term != null && publisher.work().run(term, work);
    }

    @Override
    public void addListener(ElectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        requireOpen();
        context.loop().execute(() -> publisher.add(listener));
    }

    @Override
    public void removeListener(ElectionListener listener) {
        publisher.remove(listener);
        // Its addition may still be waiting for the loop.
        context.loop().execute(() -> publisher.remove(listener));
    }

    @Override
    public String toString() {
        return "election '%s' at %s".formatted(name(), path());
    }

    private CandidateReader candidateReader() {
        return new CandidateReader(context.engine().client(), path());
    }

    @Override
    public void handle(Event event) {
        context.loop().execute(() -> context.engine().handle(hosted, event));
    }

    private CompletableFuture<Boolean> depart(RevocationReason reason, AfterLeaving then) {
        var left = new CompletableFuture<Boolean>();
        depart(reason, then, left);
        return left;
    }

    private void depart(RevocationReason reason, AfterLeaving then, CompletableFuture<Boolean> left) {
        context.loop().execute(() -> {
            State state = hosted.election().state();
            if (state instanceof Closed || then == AfterLeaving.OBSERVE && state instanceof Observing) {
                left.complete(true);
            } else if (then == AfterLeaving.REJOIN && !(state instanceof Leading)) {
                left.completeExceptionally(notLeading());
            } else {
                publisher.whenLeft(left);
                context.engine().handle(hosted, new Event.Leave(reason, then));
            }
        });
    }

    private Duration patience() {
        return context.options().connectionTimeout().plus(context.options().drainTimeout());
    }

    @Override
    public CompletableFuture<Electorate> electorate() {
        return onLoop(() -> candidateReader().leader().thenCombine(listCandidates(), Electorate::new));
    }

    private CompletableFuture<List<Candidate>> listCandidates() {
        return candidateReader().candidates().whenComplete((candidates, failure) -> {
            if (failure == null) {
                publisher.listed(candidates.size());
            }
        });
    }

    private <T> T await(Supplier<CompletableFuture<T>> read, String what) {
        return await(onLoop(read), context.options().connectionTimeout(), what);
    }

    private <T> CompletableFuture<T> onLoop(Supplier<CompletableFuture<T>> read) {
        return CompletableFuture.supplyAsync(read, context.loop()).thenCompose(Function.identity());
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
                    .formatted(name(), publisher.hasEnded() ? "it was deleted" : "this candidate has resigned"));
        }
    }
}
