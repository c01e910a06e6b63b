package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A follower knows the id of its leader from what it has read anyway. */
class KnownLeaderTests extends ElectionTestSupport {

    private static @Nullable String knownLeader(Election election) {
        return ManagedElection.of(election).gauges().leader();
    }

    private static void awaitKnownLeader(Election election, @Nullable String id) {
        eventually().untilAsserted(() -> assertThat(knownLeader(election)).isEqualTo(id));
    }

    @Test
    void followersKnowTheLeaderAlsoIfTheyWatchAnotherCandidate() {
        Election first = candidate("a");
        awaitLeader(first);
        Election second = candidate("b");
        awaitKnownLeader(second, "a");
        Election third = candidate("c");
        awaitKnownLeader(third, "a");
        assertThat(knownLeader(first)).as("a leader follows nobody").isNull();
    }

    @Test
    void toAskForItDoesNotNeedZooKeeper() {
        awaitLeader(candidate("a"));
        TcpProxy proxy = proxy();
        // Long, so that the client does not notice that there are no answers.
        Election follower = candidate(client(proxy, Duration.ofSeconds(60)), "b");
        awaitKnownLeader(follower, "a");
        proxy.blackHole();
        assertThat(knownLeader(follower)).isEqualTo("a");
        proxy.cut();
        proxy.open();
    }

    @Test
    void theNextLeaderIsKnownToTheFormerOne() {
        Election first = candidate("a");
        awaitLeader(first);
        Election second = candidate("b");
        awaitKnownLeader(second, "a");
        first.stepDown();
        awaitLeader(second);
        awaitKnownLeader(first, "b");
        assertThat(knownLeader(second)).isNull();
    }

    @Test
    void aFollowerThatIsNotInvolvedInAHandOverLearnsOfItByItsNextVerification() {
        Election first = candidate("a");
        awaitLeader(first);
        Election second = candidate("b");
        awaitFollower(second);
        Election third = nominate(over(client(), options("c").recheckInterval(Duration.ofMillis(200))));
        awaitKnownLeader(third, "a");
        first.withdraw();
        awaitLeader(second);
        awaitKnownLeader(third, "b");
    }

    @Test
    void nobodyIsKnownToLeadWithoutAConnection() {
        awaitLeader(candidate("a"));
        TcpProxy proxy = proxy();
        Election follower = candidate(client(proxy), "b");
        awaitKnownLeader(follower, "a");
        proxy.cut();
        awaitKnownLeader(follower, null);
        proxy.open();
        awaitKnownLeader(follower, "a");
    }
}
