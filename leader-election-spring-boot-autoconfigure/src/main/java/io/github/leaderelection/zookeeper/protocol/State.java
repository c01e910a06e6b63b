package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.MoveCause;
import io.github.leaderelection.zookeeper.client.Reply;
import java.util.OptionalInt;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * What an election of this process is doing. A state carries its data and its rules: each handler below says what
 * happens when an {@link Event} arrives in that state. The handlers that every state must decide on are abstract; the
 * others ignore the event by default.
 */
public sealed interface State permits Observing, Pending, Entering, Queued, NodeLost, Outgoing, Clearing, Closed {

    /** The id of no request: replies and timers always carry a greater one. */
    long NO_REQUEST = 0;

    default Role role() {
        return Role.CANDIDATE;
    }

    /** The request, or group of requests, whose replies and timers this state waits for. */
    default long requestId() {
        return NO_REQUEST;
    }

    /** Whether the reply to that request still matters; other replies are dropped. */
    default boolean awaits(Command.Send request) {
        return awaits(request.requestId());
    }

    default boolean awaits(long request) {
        return request != NO_REQUEST && request == requestId();
    }

    /** The candidacy that has a node, or may have one. */
    default @Nullable Candidacy candidacy() {
        return null;
    }

    /** Whether the election is known to have ended for everyone. */
    default boolean ended() {
        return false;
    }

    /** The number of candidates in the last list, if this state has one. */
    default OptionalInt candidates() {
        return OptionalInt.empty();
    }

    /** How often a heartbeat has to be sent in this state, in milliseconds; 0 if none is needed. */
    default long heartbeatInterval() {
        return 0;
    }

    // Every state decides what these mean.

    /** The candidate is to leave the queue. */
    void leave(Step step, RevocationReason reason, AfterLeaving then);

    void disconnected(Step step, boolean watchesKept);

    void expired(Step step);

    // What most states do; the others override it.

    /** The connection is back: always after {@link #disconnected} or {@link #expired}. */
    default void connected(Step step) {
        recheck(step);
    }

    /** A timer of an {@linkplain #awaits awaited} request fired. */
    default void woken(Step step) {
        if (step.view.connected()) {
            recheck(step);
        }
    }

    // Ignored unless a state says otherwise.

    default void nominate(Step step) {}

    /** The reply to an {@linkplain #awaits awaited} request. */
    default void replied(Step step, Command.Send to, Reply reply) {}

    default void changed(Step step, String path, EventType type) {}

    /** Candidates joined or left. */
    default void candidatesChanged(Step step) {}

    /** Looks again: periodically while connected, which heals a missed watch. */
    default void recheck(Step step) {}

    /** A heartbeat was committed that was sent at the given moment. */
    default void acknowledged(Step step, Moment sent) {}

    /** The candidacy ends, and another one begins. */
    default void rejoin(Step step, RevocationReason reason) {}

    /** That candidate should lead instead, for that cause. */
    default void move(Step step, MoveCause cause, String to) {}

    default void refused(Step step, long term) {}

    default void lapsed(Step step, long term) {}

    /** Listeners and leader-only work are done with all terms up to that one. */
    default void drained(Step step, long term) {}

    /** All listeners have heard of the end of the last term: this candidate may join and lead again. */
    default void heard(Step step) {}

    /** A listener has been busy with the last term for too long, so that another candidate should lead. */
    default void busy(Step step) {}

    /** An ended election was cleared away, unless it was refused. */
    default void cleared(Step step, @Nullable ElectionException refusal) {}

    default void deleted(Step step) {}
}
