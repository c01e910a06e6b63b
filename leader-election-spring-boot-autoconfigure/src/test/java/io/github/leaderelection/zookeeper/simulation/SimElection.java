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

/** One election object of an application: takes its news, drains, sometimes refuses; and sees to it that they are in order. */
final class SimElection implements ElectionCallbacks {

    /** A node on which it has led, and the record's version at the time. */
    record Reigned(String path, long token, int version) {}

    private final SimHost host;
    private final ElectionState.Config config;
    private @Nullable HostedElection hosted;
    private @Nullable Reigned reigned;
    private long openTerm;
    private long lastTerm;
    private long toDrain;
    /** The last term, until all that it admitted has ended. */
    private long undrained;

    private boolean forgotten;

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
    Reigned reigned() {
        return reigned;
    }

    /** To be called on the loop. */
    void recheck() {
        if (hosted != null) {
            host.engine().handle(hosted, new Event.Recheck());
        }
    }

    /** The user, or the time, has something to say. */
    void handle(Event event) {
        host.post(() -> {
            if (hosted != null) {
                host.engine().handle(hosted, event);
            }
        });
    }

    // news

    @Override
    public void published(ElectionState election) {
        if (election.state() instanceof Leading leading) {
            String path = config.node(leading.ownNode().name());
            if (reigned == null || !reigned.path().equals(path)) {
                reigned = new Reigned(path, leading.ownNode().czxid(), leading.version());
                host.reigns().add(reigned);
            }
        } else if (election.state() instanceof Observing || election.state() instanceof Closed) {
            host.checker()
                    .require(
                            SimInvariant.I6,
                            undrained == 0,
                            () -> "%s has left for good, but term %d has not drained".formatted(name(), undrained));
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
        openTerm = term;
        lastTerm = term;
        undrained = term;
        if (host.refusesGrant()) {
            host.later(host.weather().drain(), () -> handle(new Event.Refused(term)));
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
    }

    @Override
    public void drain(long term) {
        host.checker().require(SimInvariant.I6, openTerm == 0, () -> name() + " is drained before it is revoked");
        toDrain = term;
        host.later(
                host.weather().drain(),
                () -> host.post(() -> {
                    if (toDrain == term) {
                        toDrain = 0;
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

    /** A request is sent that deletes a node; if it is the one that led, everything must be over by now. */
    void deletes(String path) {
        if (reigned != null && reigned.path().equals(path)) {
            host.checker()
                    .require(
                            SimInvariant.I6,
                            openTerm == 0 && toDrain == 0 && !isLeader(),
                            () -> "%s deletes its node: term %d open, term %d not drained, leader: %s"
                                    .formatted(name(), openTerm, toDrain, isLeader()));
        }
    }

    /** Called from time to time: somebody asks whether it leads, and a closed election is forgotten. */
    void lookAt() {
        if (state() instanceof Leading leading
                && !isLeader()
                && host.scheduler().chance(0.2)) {
            handle(new Event.Lapsed(leading.term()));
        }
        if (isOver() && !forgotten && hosted != null) {
            forgotten = true;
            HostedElection closed = hosted;
            host.post(() -> host.engine().forget(closed));
        }
    }
}
