package io.github.leaderelection.zookeeper;

import java.util.List;

/** How an election goes on: a pure function. */
@FunctionalInterface
interface StateMachine {

    Outcome apply(ElectionState election, Event event, View view);

    record Outcome(ElectionState election, List<Command> commands) {}
}
