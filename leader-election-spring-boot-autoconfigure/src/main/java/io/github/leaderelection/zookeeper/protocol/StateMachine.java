package io.github.leaderelection.zookeeper.protocol;

import java.util.List;

/** A pure function from the state of an election and an event to the next state and the commands to carry out. */
@FunctionalInterface
public interface StateMachine {

    Outcome apply(ElectionState election, Event event, View view);

    record Outcome(ElectionState election, List<Command> commands) {}
}
