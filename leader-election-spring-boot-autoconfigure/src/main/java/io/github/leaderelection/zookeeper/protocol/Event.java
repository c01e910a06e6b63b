package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.client.Reply;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/** What can happen to one election of this process. */
public sealed interface Event {

    // asked for by the user

    record Nominate() implements Event {}

    /** Leave the queue, for whatever is to follow; leaders tell the reason. */
    record Leave(RevocationReason reason, AfterLeaving then) implements Event {}

    /** A listener refused the grant of a term. */
    record Refused(long term) implements Event {}

    /** What a term's revocation had to wait for is done. */
    record Drained(long term) implements Event {}

    /** This process has deleted the election. */
    record Deleted() implements Event {}

    // told by the connection

    record Connected() implements Event {}

    /**
     * The connection is lost.
     *
     * @param watchesKept whether all watches will be set on the next one, before anything is answered there
     */
    record Disconnected(boolean watchesKept) implements Event {}

    record Expired() implements Event {}

    /** A beat was committed; it was sent at the given moment. */
    record Acknowledged(Moment sent) implements Event {}

    record Replied(Command.Send to, Reply reply) implements Event {}

    record Changed(String path, EventType type) implements Event {}

    // told by the clock

    record Woken(long requestId) implements Event {}

    /** Look whether everything is as it should be. */
    record Recheck() implements Event {}

    /** A term was found to be over, by its time. */
    record Lapsed(long term) implements Event {}

    /** The ended election that was found has been cleared away, or must not be. */
    record Cleared(@Nullable ElectionException refusal) implements Event {}
}
