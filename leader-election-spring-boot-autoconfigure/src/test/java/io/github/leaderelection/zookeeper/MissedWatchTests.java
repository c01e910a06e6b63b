package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ManagedElection;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A watch that was set and never tells: the periodic verification finds out. */
class MissedWatchTests extends FaultTestBench {

    private static final Duration OFTEN = Duration.ofMillis(300);

    @Test
    void aFollowerThatIsNotToldOfItsPredecessorsEndTakesOver() {
        Election leader = candidate("a");
        awaitLeader(leader);
        Election follower = nominated(
                over(deafTo(path -> path.contains("/c-")), options("b").recheckInterval(OFTEN)));
        eventually().until(() -> follower.role() == Role.FOLLOWER);

        leader.close();

        awaitLeader(follower);
    }

    @Test
    void aLeaderThatIsNotToldOfItsNodesDeletionNoticesAndLeadsAgain() throws Exception {
        Election leader = nominated(
                over(deafTo(path -> path.contains("/c-")), options("a").recheckInterval(OFTEN)));
        Recorder events = listenTo(leader);
        awaitLeader(leader);
        long token = leader.leadership().map(Leadership::fencingToken).orElseThrow();

        admin().delete(PATH + "/" + nodes().get(0), -1);

        eventually().until(() -> events.events().contains("revoked NODE_LOST"));
        awaitLeader(leader);
        assertThat(leader.leadership().map(Leadership::fencingToken).orElseThrow())
                .isGreaterThan(token);
    }

    @Test
    void aLeaderThatIsNotToldOfNewCandidatesFindsThem() {
        Election leader = nominated(over(deafTo(PATH::equals), options("a").recheckInterval(OFTEN)));
        awaitLeader(leader);
        eventually().until(() -> candidates(leader) == 1);

        Election follower = candidate("b");

        eventually().until(() -> candidates(leader) == 2);
        leader.close();
        awaitLeader(follower);
    }

    private LossyZooKeeper deafTo(Predicate<String> paths) {
        LossyZooKeeper client = lossyClient();
        client.beDeafTo(paths);
        return client;
    }

    private static int candidates(Election election) {
        return ((ManagedElection) election).gauges().candidates();
    }
}
