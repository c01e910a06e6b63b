package io.github.leaderelection.zookeeper.protocol;

import java.util.List;

/** How an election goes on: a pure function. */
@FunctionalInterface
public interface StateMachine {

    Outcome apply(ElectionState election, Event event, View view);

    record Outcome(ElectionState election, List<Command> commands) {}
}
