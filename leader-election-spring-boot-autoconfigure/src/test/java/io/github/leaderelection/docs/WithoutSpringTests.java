package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.zookeeper.ZooKeeperElections;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class WithoutSpringTests {

    @Test
    void leadsAndHandsOver() throws Exception {
        List<String> log = new CopyOnWriteArrayList<>();
        try (TestServer server = new TestServer()) {
            try (ZooKeeperElections elections = WithoutSpring.start(server.address(), log)) {
                await().untilAsserted(
                                () -> assertThat(log).singleElement().asString().startsWith("leading, fencing token"));
            }
            assertThat(log).hasSize(2).last().isEqualTo("no longer leading: SHUTDOWN");
        }
    }
}
