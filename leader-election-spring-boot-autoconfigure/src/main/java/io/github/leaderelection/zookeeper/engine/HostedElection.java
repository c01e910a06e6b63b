package io.github.leaderelection.zookeeper.engine;

import io.github.leaderelection.zookeeper.protocol.Command;
import io.github.leaderelection.zookeeper.protocol.ElectionCallbacks;
import io.github.leaderelection.zookeeper.protocol.ElectionState;
import io.github.leaderelection.zookeeper.protocol.Event;

/** One election in the engine's care. Confined to the loop. */
public final class HostedElection {

    private final ElectionCallbacks callbacks;
    private ElectionState election;
    private long recheckAt;
    private int queueLength;

    HostedElection(ElectionState election, ElectionCallbacks callbacks) {
        this.election = election;
        this.callbacks = callbacks;
    }

    String path() {
        return election.config().path();
    }

    ElectionCallbacks callbacks() {
        return callbacks;
    }

    public ElectionState election() {
        return election;
    }

    public void election(ElectionState next) {
        election = next;
        callbacks.published(next);
    }

    long recheckAt() {
        return recheckAt;
    }

    void recheckAt(long nanos) {
        recheckAt = nanos;
    }

    /** How many nodes there were in it when they were last listed, candidates or not; 0 before that. */
    int queueLength() {
        return queueLength;
    }

    /** Takes note of what an answer tells, whatever becomes of it. */
    void replied(Event.Replied replied) {
        if (replied.to().purpose() == Command.Purpose.LIST && replied.reply().ok()) {
            queueLength = replied.reply().children().size();
        }
    }
}
