package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Reply;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/** What can happen to one election of this process. */
public sealed interface Event {

    // from the application

    record Nominate() implements Event {}

    /** Leave the queue, for the given reason if it leads. Only a leader can step down. */
    record Leave(RevocationReason reason, AfterLeaving then) implements Event {}

    /** A listener threw an exception when the term was granted. */
    record Refused(long term) implements Event {}

    /** Listeners have heard of the term's end, and its leader-only work is done. */
    record Drained(long term) implements Event {}

    /** All listeners have heard of the term's end and have returned. */
    record Heard(long term) implements Event {}

    /** A listener is still busy with the term after the drain timeout. {@link Heard} follows when it returns. */
    record Busy(long term) implements Event {}

    /** This process has deleted the election. */
    record Deleted() implements Event {}

    /** The remains of an ended election were deleted, or the deletion was refused. */
    record Cleared(@Nullable ElectionException refusal) implements Event {}

    /** Hand over to that candidate, because its instance leads fewer elections. */
    record Spread(String to) implements Event {}

    // from the connection

    record Connected() implements Event {}

    /**
     * The connection is lost.
     *
     * @param watchesKept whether all watches will be set on the next connection before anything is answered there
     */
    record Disconnected(boolean watchesKept) implements Event {}

    /** The session is over. */
    record Expired() implements Event {}

    /** A heartbeat was committed that was sent at the given moment. */
    record Acknowledged(Moment sent) implements Event {}

    /** All candidacies end and new ones begin, because their heartbeat is lost or their session is replaced. */
    record Rejoin(RevocationReason reason) implements Event {}

    record Replied(Command.Send to, Reply reply) implements Event {}

    /** A watch fired, or was removed. */
    record Changed(String path, EventType type) implements Event {}

    // from the clock

    record Woken(long requestId) implements Event {}

    /** Check that everything is as it should be. */
    record Recheck() implements Event {}

    /** The candidate joined long enough ago to be handed the leadership, if its priority is higher. */
    record Preempt(String candidate) implements Event {}

    /** The lease of the term was found to be over. */
    record Lapsed(long term) implements Event {}
}
