package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.ElectionException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.client.Reply;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/** What can happen to one election of this process. */
public sealed interface Event {

    /** Calls the handler of that state, unless the event does not concern it. */
    void dispatch(State state, Step step);

    // from the application

    record Nominate() implements Event {
        @Override
        public void dispatch(State state, Step step) {
            state.nominate(step);
        }
    }

    /** Leave the queue, for the given reason if it leads. Only a leader can step down. */
    record Leave(RevocationReason reason, AfterLeaving then) implements Event {
        @Override
        public void dispatch(State state, Step step) {
            if (reason != RevocationReason.STEPPED_DOWN || state.role() == Role.LEADER) {
                state.leave(step, reason, then);
            }
        }
    }

    /** A listener threw when it was granted the term. */
    record Refused(long term) implements Event {
        @Override
        public void dispatch(State state, Step step) {
            state.refused(step, term);
        }
    }

    /** Listeners have heard of the term's end, and its leader-only work is done. */
    record Drained(long term) implements Event {
        @Override
        public void dispatch(State state, Step step) {
            state.drained(step, term);
        }
    }

    /** This process has deleted the election. */
    record Deleted() implements Event {
        @Override
        public void dispatch(State state, Step step) {
            state.deleted(step);
        }
    }

    // from the connection

    record Connected() implements Event {
        @Override
        public void dispatch(State state, Step step) {
            state.connected(step);
        }
    }

    /**
     * The connection is lost.
     *
     * @param watchesKept whether all watches will be set on the next connection before anything is answered there
     */
    record Disconnected(boolean watchesKept) implements Event {
        @Override
        public void dispatch(State state, Step step) {
            step.queueWatched &= watchesKept;
            state.disconnected(step, watchesKept);
        }
    }

    /** The session is over. */
    record Expired() implements Event {
        @Override
        public void dispatch(State state, Step step) {
            step.queueWatched = false;
            state.expired(step);
        }
    }

    /** A heartbeat was committed that was sent at the given moment. */
    record Acknowledged(Moment sent) implements Event {
        @Override
        public void dispatch(State state, Step step) {
            state.acknowledged(step, sent);
        }
    }

    record Replied(Command.Send to, Reply reply) implements Event {
        @Override
        public void dispatch(State state, Step step) {
            if (state.awaits(to)) {
                state.replied(step, to, reply);
            }
        }
    }

    /** A watch fired, or was removed. */
    record Changed(String path, EventType type) implements Event {
        @Override
        public void dispatch(State state, Step step) {
            if (!path.equals(step.config.path())) {
                state.changed(step, path, type);
            } else if (type == EventType.NodeChildrenChanged || type == EventType.ChildWatchRemoved) {
                step.queueWatched = false;
                state.candidatesChanged(step);
            }
        }
    }

    // from the clock

    record Woken(long requestId) implements Event {
        @Override
        public void dispatch(State state, Step step) {
            if (state.awaits(requestId)) {
                state.woken(step);
            }
        }
    }

    /** Check that everything is as it should be. */
    record Recheck() implements Event {
        @Override
        public void dispatch(State state, Step step) {
            if (step.view.connected()) {
                state.recheck(step);
            }
        }
    }

    /** The lease of the term was found to be over. */
    record Lapsed(long term) implements Event {
        @Override
        public void dispatch(State state, Step step) {
            state.lapsed(step, term);
        }
    }

    /** The remains of an ended election were deleted, or must not be. */
    record Cleared(@Nullable ElectionException refusal) implements Event {
        @Override
        public void dispatch(State state, Step step) {
            state.cleared(step, refusal);
        }
    }
}
