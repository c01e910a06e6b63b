package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ElectionPublisher;
import io.github.leaderelection.zookeeper.engine.Clock;
import io.github.leaderelection.zookeeper.protocol.AwaitingLeaseEnd;
import io.github.leaderelection.zookeeper.protocol.Closed;
import io.github.leaderelection.zookeeper.protocol.Detached;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Following;
import io.github.leaderelection.zookeeper.protocol.Move;
import io.github.leaderelection.zookeeper.protocol.Outgoing;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.State;
import io.github.leaderelection.zookeeper.protocol.TakingOver;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Passes the engine's reports about one election on to its view, its publisher and the log. Confined to the loop. */
final class EngineCallbacks implements ElectionCallbacks {

    private final ZooKeeperElection election;
    private final ElectionView view;
    private final ElectionPublisher publisher;
    private final Clock clock;
    private final OtherCandidates others;
    private List<CompletableFuture<Boolean>> departures = List.of();
    /** When the predecessor was seen to be gone, while this candidate is about to take over. */
    private @Nullable Long predecessorGone;

    private Role loggedRole = Role.OBSERVER;
    private long lastTermEnded;
    /** The wall-clock time since which there may have been no leader; null if it is unknown. */
    private @Nullable Long leaderlessSince;

    EngineCallbacks(
            ZooKeeperElection election,
            ElectionView view,
            ElectionPublisher publisher,
            ElectionOptions options,
            EngineContext context) {
        this.election = election;
        this.view = view;
        this.publisher = publisher;
        this.clock = context.clock();
        this.others = new OtherCandidates(election.path(), view, publisher, options, context);
    }

    /** Completes the future when this candidate has left, with whether its node is known to be gone. */
    void whenLeft(CompletableFuture<Boolean> gone) {
        departures = new ArrayList<>(departures);
        departures.add(gone);
    }

    @Override
    public void published(ElectionState now) {
        State before = view.state();
        State state = now.state();
        predecessorGone = predecessorGone(before, state);
        if (state instanceof TakingOver takingOver) {
            // Our own former node fell silent before its last sighting, if that came after an outage.
            leaderlessSince =
                    leaderlessSince == null ? takingOver.lastSeen() : Math.min(leaderlessSince, takingOver.lastSeen());
        }
        boolean termChanged = view.update(now);
        log(before, state);
        boolean closes = state.role() == Role.CLOSED;
        if (termChanged || closes) {
            publisher.wakeWaiters();
        }
        if (closes && state instanceof Closed && !(before instanceof Closed)) {
            election.closed();
        }
    }

    private @Nullable Long predecessorGone(State before, State now) {
        if (now.role() == Role.FOLLOWER || !(now instanceof Queued) || now instanceof Detached) {
            return null;
        }
        return before.role() == Role.FOLLOWER ? Long.valueOf(clock.nanos()) : predecessorGone;
    }

    /** The publisher logs the terms; other states are logged only if they may last. */
    private void log(State before, State state) {
        boolean waited = before instanceof Queued queued && queued.waited() != null;
        if (state instanceof AwaitingLeaseEnd waiting && !waited) {
            publisher.log().waiting(Duration.ofNanos(waiting.until() - clock.nanos()));
        }
        if (state instanceof Detached || state.role() == Role.LEADER || state.role() == Role.OBSERVER) {
            others.forgetNamed();
        }
        Role roleBefore = loggedRole;
        if (state.role() == roleBefore || state instanceof Outgoing) {
            return;
        }
        loggedRole = state.role();
        boolean follows = loggedRole == Role.FOLLOWER && state instanceof Following;
        others.follow(follows ? ((Following) state).predecessor().node() : null);
        if (loggedRole == Role.CANDIDATE && roleBefore == Role.OBSERVER) {
            publisher.log().nominated();
        } else if (loggedRole == Role.OBSERVER) {
            publisher.log().withdrawn();
        } else if (loggedRole == Role.CLOSED && !state.ended()) {
            publisher.log().closed();
        }
    }

    /** If the record still names the node on which this candidate has led, no other candidate has led since. */
    @Override
    public void recordRead(LeaderRecord record) {
        leaderlessSince = record.holder().equals(view.formerNode()) ? Long.valueOf(lastTermEnded) : null;
        others.recordRead(record);
    }

    @Override
    public void candidateRead(String node, CandidateData candidate) {
        others.candidateRead(node, candidate);
    }

    @Override
    public void granted(long number) {
        Term term = view.term();
        if (term != null) {
            Duration handover = predecessorGone == null ? null : Duration.ofNanos(clock.nanos() - predecessorGone);
            predecessorGone = null;
            Duration leaderless = leaderlessSince == null ? null : Duration.ofMillis(clock.millis() - leaderlessSince);
            leaderlessSince = null;
            publisher.granted(term, handover, leaderless);
        }
    }

    @Override
    public void revoked(long number, RevocationReason reason, long endedAt) {
        lastTermEnded = endedAt;
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
    public void drain(long term) {
        publisher.whenDrained(() -> election.handle(new Event.Drained(term)));
    }

    @Override
    public void left(boolean confirmed) {
        if (!confirmed) {
            publisher.log().unconfirmed();
        }
        List<CompletableFuture<Boolean>> left = departures;
        departures = List.of();
        for (CompletableFuture<Boolean> gone : left) {
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

    /** After the end of this election, the observed leader belongs to a new election at the same path. */
    void leaderChanged(Optional<Candidate> leader) {
        if (!view.hasEnded()) {
            publisher.leaderChanged(leader);
        }
    }
}
