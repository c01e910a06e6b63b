package io.github.leaderelection.zookeeper;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.ElectionStatus;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ElectionGauges;
import io.github.leaderelection.zookeeper.protocol.Draining;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Following;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Queued;
import io.github.leaderelection.zookeeper.protocol.State;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What any thread can read about an election without a lock. Updated on the loop. */
final class ElectionView {

    private final EngineContext context;
    private final ZooKeeperElection election;
    private volatile ElectionState current;
    private volatile @Nullable Term term;
    private volatile int candidates;
    private volatile @Nullable String leader;

    ElectionView(ElectionState.Config config, EngineContext context, ZooKeeperElection election) {
        this.context = context;
        this.election = election;
        this.current = ElectionState.of(config);
    }

    State state() {
        return current.state();
    }

    @Nullable
    String formerNode() {
        return current.formerNode();
    }

    @Nullable
    Term term() {
        return term;
    }

    /** Whether this process has left for good, or is about to. */
    boolean isClosed() {
        return state().role() == Role.CLOSED;
    }

    boolean hasEnded() {
        return state().ended();
    }

    /** Whether this process leads, or was the last to lead and has not handed over yet. */
    boolean isNamedInRecord() {
        State state = state();
        return state instanceof Leading
                || state instanceof Draining draining && draining.led() != null
                || state instanceof Queued queued && queued.ownNode().name().equals(formerNode());
    }

    /**
     * @param resigned whether this process has decided to leave, which the state may not show yet
     * @param obstacle what keeps it out of the queue apart from ZooKeeper
     */
    ElectionStatus status(boolean resigned, @Nullable String obstacle) {
        ElectionState now = current;
        State state = now.state();
        Term latest = term;
        // Both are checked: they are not read atomically.
        boolean leads = !resigned && state.role() == Role.LEADER && latest != null && latest.isValid();
        Role role = state.role() == Role.LEADER && !leads ? Role.CANDIDATE : state.role();
        Optional<Candidate> self = Optional.empty();
        Optional<String> following = Optional.empty();
        if (state instanceof Queued queued) {
            self = Optional.of(now.config().candidate(queued.ownNode()));
            Following followed = queued.followed();
            following = followed == null
                    ? following
                    : Optional.of(followed.predecessor().node());
        }
        String error = obstacle == null ? now.error() : obstacle;
        if (error == null && state.role() != Role.CLOSED) {
            error = context.gate().obstacle();
        }
        return new ElectionStatus(
                now.config().name(),
                now.config().path(),
                resigned ? Role.CLOSED : role,
                self,
                following,
                leads ? Optional.ofNullable(latest) : Optional.empty(),
                Optional.ofNullable(error));
    }

    ElectionGauges gauges() {
        Term latest = term;
        boolean connected = context.engine().connection().isUp();
        return new ElectionGauges(
                connected,
                hasEnded(),
                isClosed() ? 0 : candidates,
                latest == null ? 0 : latest.remaining(),
                connected && state().role() == Role.FOLLOWER ? leader : null);
    }

    // on the loop

    void listed(int candidates) {
        this.candidates = candidates;
    }

    /** @param id null if it is not known yet, or there is no leader */
    void ledBy(@Nullable String id) {
        this.leader = id;
    }

    /** Adopts a new state; returns whether the current term has changed. */
    boolean update(ElectionState now) {
        Term last = term;
        Term next = term(now, last);
        if (last != null && last != next) {
            last.end();
        }
        OptionalInt count = now.state().candidates();
        if (count.isPresent()) {
            listed(count.getAsInt());
        }
        // In this order: a reader that sees only one of the two writes sees no leadership.
        current = now;
        term = next;
        return next != last;
    }

    private @Nullable Term term(ElectionState now, @Nullable Term last) {
        if (!(now.state() instanceof Leading leading)) {
            return null;
        }
        if (last != null && last.term() == leading.term()) {
            last.renew(leading);
            return last;
        }
        return new Term(now.config(), leading, context.clock(), election);
    }
}
