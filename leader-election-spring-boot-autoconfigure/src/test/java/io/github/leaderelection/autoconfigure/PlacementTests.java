package io.github.leaderelection.autoconfigure;

import static io.github.leaderelection.autoconfigure.Instances.election;
import static io.github.leaderelection.autoconfigure.Instances.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;

/** The properties that decide which instance leads which election, in complete applications with a real ZooKeeper. */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlacementTests {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private final TestServer server = new TestServer();
    private Instances instances = new Instances();

    @AfterEach
    void closeAll() {
        instances.close();
        server.close();
    }

    private Instances instances(String... properties) {
        instances = new Instances(Stream.concat(
                        Stream.of("leader-election.zookeeper.connect-string=" + server.address()),
                        Stream.of(properties))
                .toArray(String[]::new));
        return instances;
    }

    private static long led(ConfigurableApplicationContext context) {
        return context.getBean(Elections.class).all().stream()
                .filter(Election::isLeader)
                .count();
    }

    @Test
    void threeInstancesShareThirtyElections() {
        instances(Stream.concat(
                        Stream.of("leader-election.spread.enabled=true", "leader-election.spread.settle=1s"),
                        IntStream.range(0, 30).mapToObj(i -> "leader-election.elections.e" + i + "="))
                .toArray(String[]::new));
        ConfigurableApplicationContext first = instances.start();
        await().atMost(BOUND).until(() -> led(first) == 30);
        ConfigurableApplicationContext second = instances.start();
        ConfigurableApplicationContext third = instances.start();

        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(Stream.of(first, second, third).map(PlacementTests::led))
                        .containsOnly(10L));
    }

    @Test
    void electionsStayWhereTheyAreByDefault() {
        instances("leader-election.elections.orders=", "leader-election.elections.billing=");
        ConfigurableApplicationContext first = instances.start();
        await().atMost(BOUND).until(() -> led(first) == 2);
        ConfigurableApplicationContext second = instances.start("leader-election.candidate.priority=9");
        await().atMost(BOUND).until(() -> election(second, "orders").role() == Role.FOLLOWER);

        await().atMost(BOUND).during(Duration.ofSeconds(1)).until(() -> led(first) == 2);
    }

    @Test
    void anElectionMayHaveAPriorityOfItsOwn() {
        instances(
                "leader-election.elections.orders=",
                "leader-election.elections.billing=",
                "leader-election.preempt-after=300ms");
        ConfigurableApplicationContext first = instances.start("leader-election.candidate.priority=1");
        await().atMost(BOUND).until(() -> led(first) == 2);
        ConfigurableApplicationContext second =
                instances.start("leader-election.candidate.priority=5", "leader-election.elections.billing.priority=0");

        await().atMost(BOUND).until(() -> election(second, "orders").isLeader());
        assertThat(election(first, "billing").isLeader()).isTrue();
        assertThat(election(first, "billing").candidates())
                .extracting(Candidate::priority)
                .containsExactly(1, 0);
        assertThat(log(first).events()).contains("orders revoked 1 HANDED_OVER");
    }
}
