package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ElectionGauges;
import io.github.leaderelection.support.ElectionPublisher;
import io.github.leaderelection.zookeeper.protocol.AwaitingLeaseEnd;
import io.github.leaderelection.zookeeper.protocol.Closed;
import io.github.leaderelection.zookeeper.protocol.Detached;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Following;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Moment;
import io.github.leaderelection.zookeeper.protocol.Move;
import io.github.leaderelection.zookeeper.protocol.Outgoing;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.State;
import io.github.leaderelection.zookeeper.protocol.TakingOver;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An election as the engine reports it: any thread can read its state without a lock, and what happens to it is
 * published. The engine's reports are confined to the loop.
 */
final class ElectionView implements ElectionCallbacks {

    private final ZooKeeperElection election;
    private final ElectionPublisher publisher;
    private final OtherCandidates others;
    private final EngineContext context;
    private volatile ElectionState current;
    private volatile @Nullable Term term;

    // only on the loop
    /** Null unless a caller waits for it. */
    private @Nullable CompletableFuture<Boolean> left;
    /** When the predecessor was seen to be gone, while this candidate is about to take over. */
    private @Nullable Long predecessorGone;
    /** The wall-clock time since which there may have been no leader; null if it is unknown. */
    private @Nullable Long leaderlessSince;

    ElectionView(
            ZooKeeperElection election,
            ElectionState.Config config,
            ElectionPublisher publisher,
            OtherCandidates others,
            EngineContext context) {
        this.election = election;
        this.publisher = publisher;
        this.others = others;
        this.context = context;
        this.current = ElectionState.of(config);
    }

    // on any thread

    State state() {
        return current.state();
    }

    @Nullable
    Term term() {
        return term;
    }

    /** Whether this process leads, or was the last to lead and has not handed over yet. */
    boolean isNamedInRecord() {
        ElectionState now = current;
        return now.holds()
                || now.state() instanceof Queued queued
                        && queued.ownNode().name().equals(now.formerNode());
    }

    /** @param resigned whether this process has decided to leave, which the state may not show yet */
    ElectionStatus status(boolean resigned) {
        ElectionState now = current;
        State state = now.state();
        Term latest = term;
        // Both are checked: they are not read atomically.
        boolean leads = !resigned && state.role() == Role.LEADER && latest != null && latest.isValid();
        Role role = state.role() == Role.LEADER && !leads ? Role.CANDIDATE : state.role();
        Queued queued = state instanceof Queued inQueue ? inQueue : null;
        Following followed = queued == null ? null : queued.followed();
        String busyListener = publisher.obstacle();
        String error = busyListener == null ? now.error() : busyListener;
        if (error == null && role != Role.CLOSED) {
            error = context.gate().obstacle();
        }
        return new ElectionStatus(
                election.name(),
                election.path(),
                resigned ? Role.CLOSED : role,
                queued == null ? Optional.empty() : Optional.of(now.config().candidate(queued.ownNode())),
                followed == null
                        ? Optional.empty()
                        : Optional.of(followed.predecessor().node()),
                Optional.ofNullable(leads ? latest : null),
                Optional.ofNullable(error));
    }

    ElectionGauges gauges() {
        State state = state();
        Term latest = term;
        boolean connected = context.engine().connection().isUp();
        return new ElectionGauges(
                connected,
                state.ended(),
                state.role() == Role.CLOSED ? 0 : others.count(),
                latest == null ? 0 : latest.remaining(),
                connected && state.role() == Role.FOLLOWER ? others.leaderId() : null);
    }

    // on the loop

    /** Completes when this candidate has left the next time, with whether its node is known to be gone. */
    CompletableFuture<Boolean> whenLeft() {
        left = left == null ? new CompletableFuture<>() : left;
        return left;
    }

    @Override
    public void published(ElectionState now) {
        State before = state();
        State state = now.state();
        measure(before, state);
        Term lastTerm = term;
        update(now, lastTerm);
        log(before, state);
        if (term != lastTerm || state.role() == Role.CLOSED) {
            publisher.wakeWaiters();
        }
        if (state instanceof Closed && !(before instanceof Closed)) {
            election.closed();
        }
    }

    private void measure(State before, State state) {
        if (state.role() == Role.FOLLOWER || !(state instanceof Queued) || state instanceof Detached) {
            predecessorGone = null;
        } else if (before.role() == Role.FOLLOWER) {
            predecessorGone = context.clock().nanos();
        }
        if (state instanceof TakingOver takingOver) {
            // Our own former node fell silent before its last sighting, if that came after an outage.
            long lastSeen = takingOver.lastSeen();
            leaderlessSince = leaderlessSince == null ? lastSeen : Math.min(leaderlessSince, lastSeen);
        }
    }

    private void update(ElectionState now, @Nullable Term last) {
        Term next = null;
        if (now.state() instanceof Leading leading) {
            if (last != null && last.term() == leading.term()) {
                last.renew(leading);
                next = last;
            } else {
                next = new Term(now.config(), leading, context.clock(), election);
            }
        }
        if (last != null && last != next) {
            last.end();
        }
        others.listed(now.state().candidates().orElse(others.count()));
        // In this order: a reader that sees only one of the two writes sees no leadership.
        current = now;
        term = next;
    }

    /** The publisher logs the terms; other states are logged only if they may last. */
    private void log(State before, State state) {
        if (state instanceof AwaitingLeaseEnd waiting
                && !(before instanceof Queued queued && queued.waited() != null)) {
            publisher
                    .log()
                    .waiting(Duration.ofNanos(waiting.until() - context.clock().nanos()));
        }
        Role role = state.role();
        if (role == Role.LEADER || role == Role.OBSERVER || state instanceof Detached) {
            others.forgetNamed();
        }
        // A candidate on its way out has the role that follows, which is logged when it has left.
        boolean roleChanged = role != before.role() || before instanceof Outgoing;
        if (!roleChanged || state instanceof Outgoing) {
            return;
        }
        others.follow(
                state instanceof Following following ? following.predecessor().node() : null);
        if (role == Role.CANDIDATE && before.role() == Role.OBSERVER) {
            publisher.log().nominated();
        } else if (role == Role.OBSERVER) {
            publisher.log().withdrawn();
        } else if (role == Role.CLOSED && !state.ended()) {
            publisher.log().closed();
        }
    }

    @Override
    public void recordRead(LeaderRecord record) {
        if (!record.holder().equals(current.formerNode())) {
            // Another candidate may have led since our last term.
            leaderlessSince = null;
        }
        others.recordRead(record, state().role() == Role.FOLLOWER);
    }

    @Override
    public void candidateRead(String node, CandidateData candidate) {
        others.candidateRead(node, candidate);
    }

    @Override
    public void granted(long number) {
        Term granted = term;
        if (granted != null) {
            Moment now = context.clock().now();
            Duration handover = predecessorGone == null ? null : Duration.ofNanos(now.nanos() - predecessorGone);
            Duration leaderless = leaderlessSince == null ? null : Duration.ofMillis(now.millis() - leaderlessSince);
            predecessorGone = null;
            leaderlessSince = null;
            publisher.granted(granted, handover, leaderless);
        }
    }

    @Override
    public void revoked(long number, RevocationReason reason, long endedAt) {
        leaderlessSince = endedAt;
        publisher.revoked(number, reason, Instant.ofEpochMilli(endedAt));
        publisher.whenHeard(() -> election.handle(new Event.Heard(number)));
        publisher.whenDrained(() -> {
            if (publisher.obstacle() != null) {
                election.handle(new Event.Busy(number));
            }
        });
    }

    @Override
    public void tookOver() {
        publisher.tookOverFromSilentLeader();
    }

    @Override
    public void moved(Move move) {
        publisher.moved(move.candidateId(), move.cause());
    }

    @Override
    public void drain(long number) {
        publisher.whenDrained(() -> election.handle(new Event.Drained(number)));
    }

    @Override
    public void left(boolean confirmed) {
        if (!confirmed) {
            publisher.log().unconfirmed();
        }
        CompletableFuture<Boolean> gone = left;
        left = null;
        if (gone != null) {
            gone.complete(confirmed);
        }
    }

    @Override
    public void ended() {
        publisher.ended();
    }

    @Override
    public void failed(ElectionException cause) {
        publisher.failed(cause);
    }
}
