package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The periodic recheck finds what a watch failed to report. */
class RecheckTests extends ElectionTestSupport {

    private static final Duration OFTEN = Duration.ofMillis(300);

    @Test
    void aFollowerThatMissesTheEndOfItsPredecessorTakesOver() {
        Election leader = candidate("a");
        awaitLeader(leader);
        Election follower = nominate(over(
                clientWithoutWatchesOn(path -> path.contains("/c-")),
                options("b").recheckInterval(OFTEN)));
        awaitFollower(follower);

        leader.close();

        awaitLeader(follower);
    }

    @Test
    void aLeaderThatMissesTheDeletionOfItsNodeNoticesItAndLeadsAgain() throws Exception {
        Election leader = nominate(over(
                clientWithoutWatchesOn(path -> path.contains("/c-")),
                options("a").recheckInterval(OFTEN)));
        EventLog events = EventLog.of(leader);
        awaitLeader(leader);
        long token = leader.leadership().map(Leadership::fencingToken).orElseThrow();

        admin.delete(PATH + "/" + admin.nodes().get(0));

        eventually().until(() -> events.events().stream().anyMatch(event -> event.endsWith(" NODE_LOST")));
        awaitLeader(leader);
        assertThat(leader.leadership().map(Leadership::fencingToken).orElseThrow())
                .isGreaterThan(token);
    }

    @Test
    void aLeaderThatMissesNewCandidatesFindsThem() {
        Election leader =
                nominate(over(clientWithoutWatchesOn(PATH::equals), options("a").recheckInterval(OFTEN)));
        awaitLeader(leader);
        eventually().until(() -> candidates(leader) == 1);

        Election follower = candidate("b");

        eventually().until(() -> candidates(leader) == 2);
        leader.close();
        awaitLeader(follower);
    }

    private LossyZooKeeper clientWithoutWatchesOn(Predicate<String> paths) {
        LossyZooKeeper client = lossyClient();
        client.silenceWatches(paths);
        return client;
    }

    private static int candidates(Election election) {
        return ((ManagedElection) election).gauges().candidates();
    }
}
