package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.HandOver;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.AbstractElection;
import io.github.leaderelection.support.ElectionGauges;
import io.github.leaderelection.support.Electorate;
import io.github.leaderelection.zookeeper.engine.CandidateReader;
import io.github.leaderelection.zookeeper.engine.ConnectionState;
import io.github.leaderelection.zookeeper.engine.HandOverRequester;
import io.github.leaderelection.zookeeper.engine.HostedElection;
import io.github.leaderelection.zookeeper.engine.LeaderObserver;
import io.github.leaderelection.zookeeper.protocol.AfterLeaving;
import io.github.leaderelection.zookeeper.protocol.Closed;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Observing;
import io.github.leaderelection.zookeeper.protocol.State;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An election on ZooKeeper as its users see it: turns calls into events for the engine, and waits for the outcome. */
final class ZooKeeperElection extends AbstractElection {

    final ElectionOptions options;
    private final EngineContext context;
    private final OtherCandidates others;
    private final ElectionView view;
    private final HostedElection hosted;
    private volatile @Nullable PendingResignation resignation;

    /** To be called on the loop. */
    ZooKeeperElection(String name, String path, ElectionOptions options, EngineContext context) {
        super(name, path, context.delivery().withDrainTimeout(options.drainTimeout));
        this.options = options;
        this.context = context;
        this.others = new OtherCandidates(path, publisher(), options, context.candidateIds());
        var config = options.electionConfig(name, path);
        this.view = new ElectionView(this, config, publisher(), others, context);
        this.hosted = context.engine().open(config, view);
        if (options.observe) {
            var observer = LeaderObserver.begin(context.engine(), path, leader -> {
                // After the end of this election, the leader is that of a new election at the same path.
                if (!view.state().ended()) {
                    publisher().leaderChanged(leader);
                }
            });
            publisher().closure().thenRun(observer::close);
        }
    }

    /** On the loop: nothing is left to do. The last events are published after that. */
    void closed() {
        context.engine().forget(hosted);
        context.elections().forget(this);
        context.loop().execute(publisher()::closed);
    }

    void connectionFailed(ElectionException cause) {
        publisher().connectionFailed(cause);
    }

    void handle(Event event) {
        context.loop().execute(() -> hosted.handle(event));
    }

    /** A caller noticed before the loop that the lease is over; the timer thread handles the consequences. */
    void lapsed(Term term) {
        context.engine().after(0, () -> handle(new Event.Lapsed(term.term())));
    }

    @Override
    protected void refused(long term) {
        handle(new Event.Refused(term));
    }

    @Override
    protected @Nullable Leadership term() {
        return view.term();
    }

    @Override
    protected boolean isNominated() {
        // A nomination may still be waiting for the loop.
        return super.isNominated()
                || CompletableFuture.supplyAsync(super::isNominated, context.loop())
                        .join();
    }

    @Override
    protected boolean isClosed() {
        return resignation != null || view.state().role() == Role.CLOSED;
    }

    /** Whether the calling thread may wait until this election has left. */
    boolean mayBeAwaited() {
        return !callsFromWithin();
    }

    @Override
    public ElectionStatus status() {
        return view.status(resignation != null);
    }

    @Override
    public ElectionGauges gauges() {
        return view.gauges();
    }

    @Override
    public void nominate() {
        requireOpen();
        handle(new Event.Nominate());
    }

    @Override
    public void addListener(ElectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        requireOpen();
        context.loop().execute(() -> publisher().add(listener));
    }

    @Override
    public void removeListener(ElectionListener listener) {
        super.removeListener(listener);
        // Its addition may still be waiting for the loop.
        context.loop().execute(() -> super.removeListener(listener));
    }

    @Override
    public void stepDown() {
        requireLeader();
        awaitConfirmation(leave(RevocationReason.STEPPED_DOWN, AfterLeaving.REJOIN), "Stepping down from");
    }

    @Override
    public HandOver handOver(String candidateId) {
        Objects.requireNonNull(candidateId, "candidate id");
        requireOpen();
        if (!context.engine().connection().isUp()) {
            throw new ElectionConnectionException("Cannot hand over %s: there is no connection".formatted(this));
        }
        // The rest of the time is for withdrawing a request that was not carried out.
        Duration doneWithin = options.patience().multipliedBy(9).dividedBy(10);
        var answer = context.onLoop(() ->
                HandOverRequester.begin(context.engine(), path(), candidateId, options.connectionTimeout, doneWithin));
        // The hand-over waits for the leader's listeners and leader-only work, so these cannot wait for it.
        return callsFromWithin() && view.isNamedInRecord()
                ? new HandOver(HandOver.Outcome.NOT_ANSWERED, Optional.empty())
                : await(answer, options.patience(), "Handing over");
    }

    @Override
    public void withdraw() {
        requireOpen();
        awaitConfirmation(withdraw(RevocationReason.WITHDRAWN), "Withdrawing from");
    }

    @Override
    public CompletableFuture<Boolean> withdraw(RevocationReason reason) {
        var gone = leave(reason, AfterLeaving.OBSERVE);
        if (reason != RevocationReason.WITHDRAWN) {
            return gone;
        }
        // Monitors are notified after the role has changed and before the caller continues.
        var published = CompletableFuture.runAsync(publisher()::withdrawn, context.loop());
        return gone.thenCombine(published, (confirmed, done) -> confirmed);
    }

    /** Completes with whether the node is known to be gone. */
    private CompletableFuture<Boolean> leave(RevocationReason reason, AfterLeaving then) {
        return context.onLoop(() -> {
            State state = view.state();
            if (state instanceof Closed || then == AfterLeaving.OBSERVE && state instanceof Observing) {
                return CompletableFuture.completedFuture(true);
            }
            if (then == AfterLeaving.REJOIN && !(state instanceof Leading)) {
                return CompletableFuture.failedFuture(notLeader());
            }
            var gone = view.whenLeft();
            hosted.handle(new Event.Leave(reason, then));
            return gone;
        });
    }

    private void awaitConfirmation(CompletableFuture<Boolean> gone, String operation) {
        if (!callsFromWithin() && !await(gone, options.patience(), operation)) {
            throw new ElectionConnectionException(
                    "%s %s was not confirmed by ZooKeeper: the session ended".formatted(operation, this));
        }
    }

    @Override
    public Resignation resign() {
        requireOpen();
        return depart(RevocationReason.RESIGNED).await(!callsFromWithin());
    }

    @Override
    public void close() {
        depart(RevocationReason.RESIGNED).awaitQuietly(!callsFromWithin());
    }

    /** Leaves without waiting; completes when nothing is left to do. */
    CompletableFuture<Void> leaveForGood(RevocationReason reason) {
        var unused = depart(reason);
        return publisher().closure();
    }

    /** On the loop: releases callers that wait for this candidate to leave, because ZooKeeper does not answer. */
    void abandon() {
        view.left(false);
    }

    private PendingResignation depart(RevocationReason reason) {
        var begun = new PendingResignation(this, context, options.patience());
        synchronized (this) {
            if (resignation != null) {
                return resignation;
            }
            resignation = begun;
        }
        leave(reason, AfterLeaving.CLOSE)
                .whenComplete((confirmed, failure) -> begun.gone().complete(failure == null && confirmed));
        return begun;
    }

    private CandidateReader reader() {
        return new CandidateReader(context.engine().client(), path());
    }

    @Override
    public Optional<Candidate> leader() {
        return await(context.onLoop(reader()::leader), options.connectionTimeout, "Reading the leader of");
    }

    @Override
    public List<Candidate> candidates() {
        return await(context.onLoop(this::list), options.connectionTimeout, "Listing the candidates of")
                .candidates();
    }

    @Override
    public CompletableFuture<Electorate> electorate() {
        return context.onLoop(this::list);
    }

    private CompletableFuture<Electorate> list() {
        return reader().electorate().thenApply(electorate -> {
            others.listed(electorate.candidates().size());
            return electorate;
        });
    }

    @Override
    public void delete() {
        boolean ended = view.state().ended();
        if (ended && view.state() instanceof Closed) {
            return;
        }
        if (!ended) {
            requireOpen();
        }
        var deleted = new CompletableFuture<Boolean>();
        var answered = context.onLoop(() ->
                context.engine().delete(path(), ended, () -> closeDeleted(deleted), deleted::completeExceptionally));
        if (!callsFromWithin()) {
            await(answered, options.connectionTimeout, "Deleting");
            // The last lease has to end, even if its leader cannot be reached.
            ConnectionState connection = context.engine().connection();
            long longestLease = Math.max(connection.lease(), connection.sessionTimeout());
            Duration timeout = options.patience().plusNanos(LeaderRecord.waitNanos(longestLease));
            await(deleted, timeout, "Deleting");
        }
    }

    private void closeDeleted(CompletableFuture<Boolean> deleted) {
        hosted.handle(new Event.Deleted());
        publisher().closure().thenRun(() -> deleted.complete(true));
    }

    private <T> T await(CompletableFuture<T> answer, Duration timeout, String operation) {
        return EngineContext.await(answer, timeout, operation, this);
    }
}
