package io.github.leaderelection.zookeeper.simulation;

import io.github.leaderelection.HandOver;
import io.github.leaderelection.zookeeper.engine.HandOverRequester;
import java.time.Duration;

/** Leadership that goes where one wants: hand-overs to a candidate of one's choice, and priorities. */
final class SimSuccession {

    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration DONE = Duration.ofSeconds(8);

    private int done;

    /** How many hand-overs were carried out. */
    int done() {
        return done;
    }

    /** The leader hands over to a candidate. */
    void handOver(SimElection leader, String candidateId) {
        ask(leader, candidateId);
    }

    /** A candidate or an observer asks for a hand-over to a candidate. */
    void ask(SimElection asking, String candidateId) {
        var unused = HandOverRequester.begin(asking.host().engine(), asking.path(), candidateId, ANSWER, DONE)
                .thenAccept(handOver -> done += handOver.outcome() == HandOver.Outcome.DONE ? 1 : 0);
    }

    /** The priority of all candidates of a process: mostly none. */
    int priority(SimScheduler scheduler) {
        return scheduler.chance(0.7) ? 0 : (int) scheduler.between(-1, 2);
    }
}
