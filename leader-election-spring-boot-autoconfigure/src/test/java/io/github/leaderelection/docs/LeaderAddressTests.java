package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(
        classes = LeaderAddress.class,
        properties = {
            "leader-election.mode=local",
            "leader-election.candidate.metadata.url=http://shop-1:8080",
            "leader-election.elections.reports.observe=true"
        })
@ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
class LeaderAddressTests {

    @Autowired
    private LeaderAddress address;

    @Autowired
    private Election reports;

    @Test
    void theAddressIsThatOfTheLeader() {
        await().untilAsserted(() -> assertThat(address.url()).contains("http://shop-1:8080"));
        reports.withdraw();
        await().untilAsserted(() -> assertThat(address.url()).isEmpty());
    }
}
