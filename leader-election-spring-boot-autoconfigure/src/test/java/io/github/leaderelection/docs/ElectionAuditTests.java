package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Elections;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(
        classes = ElectionAudit.class,
        properties = {
            "leader-election.mode=local",
            "leader-election.candidate.id=shop-1",
            "leader-election.elections.orders="
        })
@ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
class ElectionAuditTests {

    @Autowired
    private ElectionAudit audit;

    @Autowired
    private Elections elections;

    @Test
    void hearsOfEveryElection() {
        elections.open("shard-7");
        await().untilAsserted(() ->
                assertThat(audit.entries()).containsExactlyInAnyOrder("shop-1 leads orders", "shop-1 leads shard-7"));
    }
}
