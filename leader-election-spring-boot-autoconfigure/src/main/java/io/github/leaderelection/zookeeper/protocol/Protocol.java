package io.github.leaderelection.zookeeper.protocol;

/**
 * The rules of the election as a pure function: (state, event, view) → (state, commands).
 *
 * <p>It only dispatches: an {@link Event} knows which handler of a {@link State} it calls, the state has the rule, and the
 * {@link Step} collects what follows from it. The states, in the order in which a candidate usually passes through them:
 *
 * <ul>
 *   <li>joining: {@link Observing}, {@link Pending}, {@link Joining}, {@link Recovering}
 *   <li>in the queue ({@link Queued}): {@link Evaluating}, {@link Following}, {@link AwaitingLeaseEnd},
 *       {@link Claiming}, {@link Named}, {@link Leading}; {@link Detached} without a connection
 *   <li>the own node is gone: {@link NodeLost}
 *   <li>leaving ({@link Leaving}): {@link Draining}, {@link HandingOver}, {@link Deleting}, {@link Releasing},
 *       {@link Inspecting}, {@link Parked}; then {@link Retiring}, {@link Clearing}, {@link Closed}
 * </ul>
 */
public final class Protocol implements StateMachine {

    @Override
    public Outcome apply(ElectionState election, Event event, View view) {
        Step step = new Step(election, view);
        event.dispatch(election.state(), step);
        return step.outcome();
    }
}
