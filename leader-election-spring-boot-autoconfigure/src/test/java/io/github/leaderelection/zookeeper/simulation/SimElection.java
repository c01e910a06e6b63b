package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.MoveCause;
import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.engine.HostedElection;
import io.github.leaderelection.zookeeper.protocol.Closed;
import io.github.leaderelection.zookeeper.protocol.Draining;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Move;
import io.github.leaderelection.zookeeper.protocol.Observing;
import io.github.leaderelection.zookeeper.protocol.State;
import io.github.leaderelection.zookeeper.protocol.TakingOver;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An application's election: receives the callbacks, drains, sometimes refuses a grant, and checks the order of the
 * callbacks.
 */
final class SimElection implements ElectionCallbacks {

    /** A node it has led with, and the record's version at that time. */
    record LedNode(String path, long token, int version) {}

    private static final Set<RevocationReason> LEAVING = EnumSet.of(
            RevocationReason.STEPPED_DOWN,
            RevocationReason.WITHDRAWN,
            RevocationReason.RESIGNED,
            RevocationReason.HANDED_OVER);

    private final SimHost host;
    private final ElectionState.Config config;
    private @Nullable HostedElection hosted;
    private @Nullable LedNode ledNode;
    private long openTerm;
    private long lastTerm;
    private long draining;
    private long nextDrain;
    private @Nullable RevocationReason lastReason;
    /** The last term, until it has drained. */
    private long undrained;

    /** The last term, until all listeners have returned from it. */
    private long unheard;

    /** From whom it could not take over, and when. */
    private @Nullable String notTakenOver;

    private @Nullable String failed;

    private long notTakenOverAt;
    private boolean released;

    SimElection(SimHost host, ElectionState.Config config) {
        this.host = host;
        this.config = config;
    }

    void open() {
        hosted = host.engine().open(config, this);
    }

    SimHost host() {
        return host;
    }

    String path() {
        return config.path();
    }

    /** The id of the candidate. */
    String id() {
        return config.id();
    }

    String name() {
        return host.name() + ":" + config.name();
    }

    State state() {
        return hosted == null ? new Observing() : hosted.election().state();
    }

    boolean isOver() {
        return state() instanceof Closed;
    }

    /** Whether no listener works for an earlier term. */
    boolean mayLead() {
        return unheard == 0;
    }

    boolean isLeader() {
        return state() instanceof Leading leading && leading.isValid(host.time());
    }

    // what the protocol keeps of a term, each in one place

    /** The fencing token. */
    static long token(Leading leading) {
        return leading.holding().token();
    }

    /** The lease in the record, which others wait for, in milliseconds. */
    static long granted(Leading leading) {
        return leading.holding().lease();
    }

    /** The version of the record. */
    static int version(Leading leading) {
        return leading.holding().version();
    }

    @Nullable
    LedNode ledNode() {
        return ledNode;
    }

    /** Must be called on the loop. */
    void recheck() {
        if (hosted != null) {
            hosted.handle(new Event.Recheck());
        }
    }

    /** Passes an event to the engine. */
    void handle(Event event) {
        host.post(() -> {
            if (hosted != null) {
                hosted.handle(event);
            }
        });
    }

    /**
     * A take-over that has failed shows that the holder was heard of, so the next one of the same candidacy comes 1.1 leases
     * later at the earliest.
     */
    void takeOverSent() {
        if (state() instanceof TakingOver takingOver
                && takingOver.ownNode().path().equals(failed)
                && takingOver.holder().path().equals(notTakenOver)) {
            long millis = (host.clock().nanos() - notTakenOverAt) / SimScheduler.MILLIS;
            long lease = takingOver.claim().lease();
            host.checker()
                    .require(
                            SimInvariant.ATTEMPTS,
                            millis >= lease * 11 / 10 - 5,
                            () -> "%s takes over from %s again after %d ms, with a lease of %d ms"
                                    .formatted(name(), notTakenOver, millis, lease));
        }
    }

    void takeOverAnswered(Reply reply) {
        if (!reply.ok() && !reply.ambiguous() && state() instanceof TakingOver takingOver) {
            failed = takingOver.ownNode().path();
            notTakenOver = takingOver.holder().path();
            notTakenOverAt = host.clock().nanos();
        }
    }

    /** The work of the present term takes so long to end. */
    void drainFor(long duration) {
        nextDrain = duration;
    }

    /** Whether it leads no more because it leaves, and its work has not ended yet. */
    boolean drainsAsHolder() {
        return state() instanceof Draining && draining == lastTerm && LEAVING.contains(lastReason);
    }

    // callbacks

    @Override
    public void published(ElectionState election) {
        if (election.state() instanceof Leading leading) {
            String path = config.node(leading.ownNode().name());
            if (ledNode == null || !ledNode.path().equals(path) || ledNode.token() != token(leading)) {
                ledNode = new LedNode(path, token(leading), version(leading));
                host.ledNodes().add(ledNode);
            }
        } else if (election.state() instanceof Observing || election.state() instanceof Closed) {
            host.checker()
                    .require(
                            SimInvariant.I6,
                            undrained == 0,
                            () -> "%s has left, but term %d has not drained".formatted(name(), undrained));
        }
    }

    @Override
    public void granted(long term) {
        host.trace("%s: granted term %d", config.name(), term);
        host.checker()
                .require(
                        SimInvariant.I6,
                        openTerm == 0 && term > lastTerm,
                        () -> "%s was granted term %d, with %d open and %d before"
                                .formatted(name(), term, openTerm, lastTerm));
        host.checker()
                .require(
                        SimInvariant.I6,
                        unheard == 0,
                        () -> "%s was granted term %d while a listener works for term %d"
                                .formatted(name(), term, unheard));
        openTerm = term;
        lastTerm = term;
        undrained = term;
        unheard = term;
        if (host.refusesGrant()) {
            host.later(host.latency().drain(), () -> handle(new Event.Refused(term)));
        }
    }

    @Override
    public void moved(Move move) {
        host.trace("%s: moved to %s, %s", config.name(), move.to(), move.cause());
        if (move.cause() != MoveCause.REQUESTED) {
            host.moved();
        }
    }

    @Override
    public void revoked(long term, RevocationReason reason, long endedAt) {
        host.trace("%s: revoked term %d, %s", config.name(), term, reason);
        host.checker()
                .require(
                        SimInvariant.I6,
                        openTerm == term,
                        () -> "%s: term %d was revoked, but %d is open".formatted(name(), term, openTerm));
        openTerm = 0;
        lastReason = reason;
        host.later(host.latency().drain(), () -> {
            if (host.scheduler().chance(0.1) && host.mayHaveBusyListeners()) {
                handle(new Event.Busy(term));
                host.later(host.latency().drain(), () -> returned(term));
            } else {
                returned(term);
            }
        });
    }

    private void returned(long term) {
        host.post(() -> {
            unheard = 0;
            if (hosted != null) {
                hosted.handle(new Event.Heard(term));
            }
        });
    }

    @Override
    public void drain(long term) {
        host.checker().require(SimInvariant.I6, openTerm == 0, () -> name() + " is drained before it is revoked");
        draining = term;
        long duration = nextDrain > 0 ? nextDrain : host.latency().drain();
        nextDrain = 0;
        host.later(
                duration,
                () -> host.post(() -> {
                    if (draining == term) {
                        draining = 0;
                    }
                    if (undrained == term) {
                        undrained = 0;
                    }
                    if (hosted != null) {
                        hosted.handle(new Event.Drained(term));
                    }
                }));
    }

    @Override
    public void left(boolean confirmed) {
        host.trace("%s: left, %s", config.name(), confirmed ? "confirmed" : "unconfirmed");
    }

    @Override
    public void ended() {
        host.trace("%s: ended", config.name());
    }

    @Override
    public void failed(ElectionException cause) {
        host.trace("%s: %s", config.name(), cause.getMessage());
        if (cause.getCause() instanceof SimViolation violation) {
            throw violation;
        } else if (cause.getCause() != null) {
            throw new AssertionError(cause);
        }
    }

    /** Called before a node is deleted: if it has led with that node, its term must have ended and drained. */
    void beforeDelete(String path) {
        if (ledNode != null && ledNode.path().equals(path)) {
            host.checker()
                    .require(
                            SimInvariant.I6,
                            openTerm == 0 && draining == 0 && !isLeader(),
                            () -> "%s deletes its node: term %d open, term %d not drained, leader: %s"
                                    .formatted(name(), openTerm, draining, isLeader()));
        }
    }

    /** Called after each task: sometimes asks whether it leads, and releases a closed election. */
    void poll() {
        if (state() instanceof Leading leading
                && !isLeader()
                && host.scheduler().chance(0.2)) {
            handle(new Event.Lapsed(leading.term()));
        }
        if (isOver() && !released && hosted != null) {
            released = true;
            HostedElection closed = hosted;
            host.post(() -> host.engine().forget(closed));
        }
    }
}
