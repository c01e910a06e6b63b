package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import java.time.Duration;
import java.util.Map;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long a resource is without a leader. */
class FailOverTests {

    private static final Duration SESSION = Duration.ofSeconds(3);

    @Test
    @DisplayName("A crash costs the session timeout and no lease on top, where the next in line saw the leader's beats")
    void aCrashCostsNoMoreThanTheSessionTimeout() throws Exception {
        try (TestServer server = new TestServer();
                TcpProxy link = new TcpProxy(server.port())) {
            ZooKeeper doomed = TestServer.connect(link.address(), SESSION);
            ZooKeeper other = server.connect(SESSION);
            // A lease that would be noticed, were it waited for.
            var options = ElectionOptions.defaults().lease(Duration.ofMillis(2_500));
            var leaders = ZooKeeperElections.over(doomed, options.candidate("doomed", Map.of()));
            var others = ZooKeeperElections.over(other, options.candidate("other", Map.of()));
            Election leader = leaders.election("orders", "/elections/orders");
            leader.nominate();
            assertThat(leader.awaitLeadership(Duration.ofSeconds(20))).isTrue();
            Election next = others.election("orders", "/elections/orders");
            next.nominate();
            await().until(() -> next.role() == Role.FOLLOWER);

            link.cut();
            long crash = System.nanoTime();
            assertThat(next.awaitLeadership(Duration.ofSeconds(20))).isTrue();
            long without = (System.nanoTime() - crash) / 1_000_000;

            // The server counts in ticks from the last ping it got.
            assertThat(without)
                    .as("without a leader for %d ms at a session timeout of %d ms", without, SESSION.toMillis())
                    .isLessThan(SESSION.toMillis() + TestServer.TICK_MILLIS + 500);
            link.open();
            others.close();
            leaders.close();
            doomed.close();
            other.close();
        }
    }
}
