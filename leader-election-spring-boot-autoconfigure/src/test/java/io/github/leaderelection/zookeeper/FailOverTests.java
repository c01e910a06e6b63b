package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long a resource is without a leader. */
class FailOverTests {

    private static final Duration SESSION = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofMillis(2_500);

    @Test
    @DisplayName("A crash costs the session timeout and no lease on top, where the next in line saw the leader's beats")
    void aCrashCostsNoMoreThanTheSessionTimeout() throws Exception {
        try (TestServer server = new TestServer();
                TcpProxy connection = new TcpProxy(server.port())) {
            ZooKeeper doomed = TestServer.connect(connection.address(), SESSION);
            ZooKeeper other = server.connect(SESSION);
            // A lease that would be noticed, were it waited for.
            var options = ElectionOptions.defaults().lease(LEASE);
            var leaders = ZooKeeperElections.over(doomed, options.candidate("doomed", Map.of()));
            var others = ZooKeeperElections.over(other, options.candidate("other", Map.of()));
            Election leader = leaders.election("orders", "/elections/orders");
            leader.nominate();
            assertThat(leader.awaitLeadership(Duration.ofSeconds(20))).isTrue();
            Election next = others.election("orders", "/elections/orders");
            next.nominate();
            await().until(() -> next.role() == Role.FOLLOWER);

            String node = leader.path() + "/" + next.status().following().orElseThrow();
            var deleted = new CompletableFuture<Long>();
            ZooKeeper witness = server.connect(SESSION);
            witness.exists(node, event -> deleted.complete(System.nanoTime()));

            connection.cut();
            long crash = System.nanoTime();
            assertThat(next.awaitLeadership(Duration.ofSeconds(20))).isTrue();
            long led = System.nanoTime();

            long afterDeletion = (led - deleted.get(20, TimeUnit.SECONDS)) / 1_000_000;
            System.out.printf(
                    "FailOverTests: led %d ms after the crash (session timeout %d ms), %d ms after the node was gone%n",
                    (led - crash) / 1_000_000, SESSION.toMillis(), afterDeletion);
            assertThat(afterDeletion)
                    .as("the lease was not waited for once more")
                    .isLessThan(LEASE.toMillis() / 2);
            witness.close();
            connection.open();
            others.close();
            leaders.close();
            doomed.close();
            other.close();
        }
    }
}
