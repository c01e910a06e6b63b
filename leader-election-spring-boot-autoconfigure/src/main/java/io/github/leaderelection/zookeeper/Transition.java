package io.github.leaderelection.zookeeper;

import java.util.List;

/** How an election goes on: a pure function. */
@FunctionalInterface
interface Transition {

    Step apply(Ballot ballot, Signal signal, View view);

    record Step(Ballot ballot, List<Command> commands) {}
}
