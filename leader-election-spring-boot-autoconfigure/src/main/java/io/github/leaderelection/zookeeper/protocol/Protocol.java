package io.github.leaderelection.zookeeper.protocol;

import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.MoveCause;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * The rules of the election as a pure function: (state, event, view) → (state, commands). This class only dispatches:
 * each {@link State} has its rules, and the {@link Step} collects what follows from them. The states, in the order in
 * which a candidate usually passes through them:
 *
 * <ul>
 *   <li>joining: {@link Observing}, {@link Pending}, {@link Joining}, {@link Recovering}
 * <li>in the queue ({@link Queued}): {@link Evaluating}, {@link Following}, {@link AwaitingLeaseEnd}, {@link Claiming},
 * {@link TakingOver}, {@link Named}, {@link Leading}; {@link Detached} without a connection
 *   <li>the own node is gone: {@link NodeLost}
 *   <li>leaving ({@link Leaving}): {@link Draining}, {@link HandingOver}, {@link Deleting}, {@link Releasing},
 *       {@link Inspecting}, {@link Parked}; then {@link Retiring}, {@link Clearing}, {@link Closed}
 * </ul>
 */
public final class Protocol implements StateMachine {

    @Override
    public Outcome apply(ElectionState election, Event event, View view) {
        Step step = new Step(election, view);
        dispatch(election.state(), event, step);
        return step.outcome();
    }

    private static void dispatch(State state, Event event, Step step) {
        if (event instanceof Event.Replied replied) {
            if (state.awaits(replied.to())) {
                state.replied(step, replied.to(), replied.reply());
            }
        } else if (event instanceof Event.Changed changed) {
            changed(state, changed, step);
        } else if (event instanceof Event.Acknowledged acknowledged) {
            state.acknowledged(step, acknowledged.sent());
        } else if (event instanceof Event.Woken woken) {
            if (state.awaits(woken.requestId())) {
                state.woken(step);
            }
        } else if (event instanceof Event.Nominate) {
            state.nominate(step);
        } else if (event instanceof Event.Leave leave) {
            if (leave.reason() != RevocationReason.STEPPED_DOWN || state.role() == Role.LEADER) {
                state.leave(step, leave.reason(), leave.then());
            }
        } else if (event instanceof Event.Spread spread) {
            state.move(step, MoveCause.SPREAD, spread.to());
        } else if (event instanceof Event.Preempt preempt) {
            state.move(step, MoveCause.PRIORITY, preempt.candidate());
        } else if (event instanceof Event.Refused refused) {
            state.refused(step, refused.term());
        } else if (event instanceof Event.Lapsed lapsed) {
            state.lapsed(step, lapsed.term());
        } else if (event instanceof Event.Drained drained) {
            state.drained(step, drained.term());
        } else if (event instanceof Event.Heard heard) {
            step.heard(heard.term());
            state.heard(step);
        } else if (event instanceof Event.Busy busy) {
            if (step.awaitsListeners(busy.term())) {
                state.busy(step);
            }
        } else if (event instanceof Event.Connected) {
            state.connected(step);
        } else if (event instanceof Event.Disconnected disconnected) {
            step.queueWatched &= disconnected.watchesKept();
            state.disconnected(step, disconnected.watchesKept());
        } else if (event instanceof Event.Expired) {
            step.queueWatched = false;
            state.expired(step);
        } else if (event instanceof Event.Rejoin rejoin) {
            state.rejoin(step, rejoin.reason());
        } else if (event instanceof Event.Recheck) {
            if (step.view.connected()) {
                state.recheck(step);
            }
        } else if (event instanceof Event.Cleared cleared) {
            state.cleared(step, cleared.refusal());
        } else if (event instanceof Event.Deleted) {
            state.deleted(step);
        } else {
            throw new IllegalArgumentException("Not an event of the protocol: " + event);
        }
    }

    private static void changed(State state, Event.Changed changed, Step step) {
        EventType type = changed.type();
        if (!changed.path().equals(step.config.path())) {
            state.changed(step, changed.path(), type);
        } else if (type == EventType.NodeChildrenChanged || type == EventType.ChildWatchRemoved) {
            step.queueWatched = false;
            state.candidatesChanged(step);
        }
    }
}
