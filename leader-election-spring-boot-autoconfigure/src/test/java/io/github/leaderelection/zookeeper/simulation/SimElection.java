package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.engine.HostedElection;
import io.github.leaderelection.zookeeper.protocol.Closed;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;
import io.github.leaderelection.zookeeper.protocol.Leading;
import io.github.leaderelection.zookeeper.protocol.Observing;
import io.github.leaderelection.zookeeper.protocol.State;
import org.jspecify.annotations.Nullable;

/**
 * An application's election: receives the callbacks, drains, sometimes refuses a grant, and checks the order of the
 * callbacks.
 */
final class SimElection implements ElectionCallbacks {

    /** A node it has led with, and the record's version at that time. */
    record LedNode(String path, long token, int version) {}

    private final SimHost host;
    private final ElectionState.Config config;
    private @Nullable HostedElection hosted;
    private @Nullable LedNode ledNode;
    private long openTerm;
    private long lastTerm;
    private long draining;
    /** The last term, until it has drained. */
    private long undrained;

    /** The last term, until all listeners have returned from it. */
    private long unheard;

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

    String name() {
        return host.name() + ":" + config.name();
    }

    State state() {
        return hosted == null ? new Observing() : hosted.election().state();
    }

    boolean isOver() {
        return state() instanceof Closed;
    }

    boolean isLeader() {
        return state() instanceof Leading leading && leading.isValid(host.time());
    }

    @Nullable
    LedNode ledNode() {
        return ledNode;
    }

    /** Must be called on the loop. */
    void recheck() {
        if (hosted != null) {
            host.engine().handle(hosted, new Event.Recheck());
        }
    }

    /** Passes an event to the engine. */
    void handle(Event event) {
        host.post(() -> {
            if (hosted != null) {
                host.engine().handle(hosted, event);
            }
        });
    }

    // callbacks

    @Override
    public void published(ElectionState election) {
        if (election.state() instanceof Leading leading) {
            String path = config.node(leading.ownNode().name());
            if (ledNode == null || !ledNode.path().equals(path)) {
                ledNode = new LedNode(path, leading.ownNode().czxid(), leading.version());
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
    public void revoked(long term, RevocationReason reason) {
        host.trace("%s: revoked term %d, %s", config.name(), term, reason);
        host.checker()
                .require(
                        SimInvariant.I6,
                        openTerm == term,
                        () -> "%s: term %d was revoked, but %d is open".formatted(name(), term, openTerm));
        openTerm = 0;
        host.later(host.latency().drain(), () -> {
            if (host.scheduler().chance(0.1)) {
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
                host.engine().handle(hosted, new Event.Heard(term));
            }
        });
    }

    @Override
    public void drain(long term) {
        host.checker().require(SimInvariant.I6, openTerm == 0, () -> name() + " is drained before it is revoked");
        draining = term;
        host.later(
                host.latency().drain(),
                () -> host.post(() -> {
                    if (draining == term) {
                        draining = 0;
                    }
                    if (undrained == term) {
                        undrained = 0;
                    }
                    if (hosted != null) {
                        host.engine().handle(hosted, new Event.Drained(term));
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
