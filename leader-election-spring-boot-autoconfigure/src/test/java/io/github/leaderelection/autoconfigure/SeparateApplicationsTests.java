package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;

/** F91: applications that use the same ZooKeeper. */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeparateApplicationsTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Test
    void applicationsWithAnElectionOfTheSameNameBothLead() {
        try (TestServer server = new TestServer();
                Instances instances = instances(server)) {
            ConfigurableApplicationContext shop = instances.start("spring.application.name=shop");
            ConfigurableApplicationContext billing = instances.start("spring.application.name=billing");
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(instances.leaders("reports")).containsExactly(shop, billing));
        }
    }

    @Test
    void applicationsShareAnElectionIfItHasTheSamePath() {
        try (TestServer server = new TestServer();
                Instances instances = instances(server)) {
            String path = "leader-election.elections.reports.path=/elections/shared/reports";
            ConfigurableApplicationContext shop = instances.start("spring.application.name=shop", path);
            await().atMost(TIMEOUT)
                    .until(() -> Instances.election(shop, "reports").isLeader());
            ConfigurableApplicationContext billing = instances.start("spring.application.name=billing", path);
            await().atMost(TIMEOUT)
                    .until(() -> Instances.election(billing, "reports").role() == Role.FOLLOWER);
            shop.close();
            await().atMost(TIMEOUT)
                    .until(() -> Instances.election(billing, "reports").isLeader());
        }
    }

    private static Instances instances(TestServer server) {
        return new Instances(
                "leader-election.zookeeper.connect-string=" + server.address(), "leader-election.elections.reports=");
    }
}
