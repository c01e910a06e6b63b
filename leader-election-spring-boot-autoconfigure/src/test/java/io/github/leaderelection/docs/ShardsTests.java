package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Elections;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(classes = Shards.class, properties = "leader-election.mode=local")
@ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
class ShardsTests {

    @Autowired
    private Shards shards;

    @Autowired
    private Elections elections;

    @Test
    void aShardIsOwnedUntilItIsRemoved() {
        shards.add("7");
        await().untilAsserted(() -> assertThat(shards.owned()).isEqualTo(Set.of("7")));
        shards.remove("7");
        await().untilAsserted(() -> assertThat(shards.owned()).isEmpty());
        assertThat(elections.all()).isEmpty();
    }
}
