package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** F91: applications that use the same ZooKeeper. */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class SeparateApplicationsTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String ROOT = "leader-election.root=/elections";

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
    void applicationsShareAnElectionIfItHasTheSamePath(CapturedOutput output) {
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
            assertThat(output).as("this was asked for").doesNotContain("candidates of two applications");
        }
    }

    @Test
    void applicationsThatShareAnElectionByAccidentAreWarned(CapturedOutput output) {
        try (TestServer server = new TestServer();
                Instances instances = instances(server)) {
            ConfigurableApplicationContext shop = instances.start("spring.application.name=shop", ROOT);
            await().atMost(TIMEOUT)
                    .until(() -> Instances.election(shop, "reports").isLeader());
            ConfigurableApplicationContext billing = instances.start("spring.application.name=billing", ROOT);
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(warnings(output))
                            .containsExactlyInAnyOrder(warning("shop", "billing"), warning("billing", "shop")));

            // Each meets the other once more.
            Instances.election(shop, "reports").stepDown();
            await().atMost(TIMEOUT)
                    .until(() -> Instances.election(billing, "reports").isLeader());
            await().atMost(TIMEOUT)
                    .until(() -> Instances.election(shop, "reports").role() == Role.FOLLOWER);
            Instances.election(billing, "reports").stepDown();
            await().atMost(TIMEOUT)
                    .until(() -> Instances.election(shop, "reports").isLeader());
            assertThat(warnings(output)).as("once per election and instance").hasSize(2);
        }
    }

    @Test
    void instancesOfOneApplicationOrOfAnUnknownOneAreNoReasonForAWarning(CapturedOutput output) {
        try (TestServer server = new TestServer();
                Instances instances = instances(server)) {
            ConfigurableApplicationContext first = instances.start("spring.application.name=shop", ROOT);
            await().atMost(TIMEOUT)
                    .until(() -> Instances.election(first, "reports").isLeader());
            for (String application : new String[] {"shop", ""}) {
                ConfigurableApplicationContext next = instances.start("spring.application.name=" + application, ROOT);
                await().atMost(TIMEOUT)
                        .until(() -> Instances.election(next, "reports").role() == Role.FOLLOWER);
            }
            first.close();
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(instances.leaders("reports")).hasSize(1));
            assertThat(output).doesNotContain("candidates of two applications");
        }
    }

    private static List<String> warnings(CapturedOutput output) {
        return output.toString()
                .lines()
                .filter(line -> line.contains("WARN") && line.contains("candidates of two applications"))
                .map(line -> line.substring(line.indexOf("Election '")))
                .toList();
    }

    private static String warning(String application, String other) {
        return ("Election 'reports' at /elections/reports has candidates of two applications, '%s' and '%s', so that only"
                        + " one of them leads. If they should not share it, give each application a leader-election.root of"
                        + " its own. If they should, set leader-election.elections.reports.path in both")
                .formatted(application, other);
    }

    private static Instances instances(TestServer server) {
        return new Instances(
                "leader-election.zookeeper.connect-string=" + server.address(), "leader-election.elections.reports=");
    }
}
