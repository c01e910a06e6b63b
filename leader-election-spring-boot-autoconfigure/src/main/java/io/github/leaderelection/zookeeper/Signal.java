package io.github.leaderelection.zookeeper;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/** What can happen to one election of this process. */
sealed interface Signal {

    // asked for by the user

    record Nominate() implements Signal {}

    /** Leave the queue, for whatever is to follow; leaders tell the reason. */
    record Leave(RevocationReason reason, Departure then) implements Signal {}

    /** A listener refused the grant of a term. */
    record Refused(long term) implements Signal {}

    /** What a term's revocation had to wait for is done. */
    record Drained(long term) implements Signal {}

    /** This process has deleted the election. */
    record Deleted() implements Signal {}

    // told by the connection

    record Connected() implements Signal {}

    /**
     * The connection is lost.
     *
     * @param watchesKept whether all watches will be set on the next one, before anything is answered there
     */
    record Disconnected(boolean watchesKept) implements Signal {}

    record Expired() implements Signal {}

    /** A beat was committed; it was sent at the given moment. */
    record Acknowledged(Moment sent) implements Signal {}

    record Replied(Command.Send to, Reply reply) implements Signal {}

    record Changed(String path, EventType type) implements Signal {}

    // told by the clock

    record Woken(long flight) implements Signal {}

    /** Look whether everything is as it should be. */
    record Recheck() implements Signal {}

    /** A term was found to be over, by its time. */
    record Lapsed(long term) implements Signal {}

    /** The ended election that was found has been cleared away, or must not be. */
    record Cleared(@Nullable ElectionException refusal) implements Signal {}
}
