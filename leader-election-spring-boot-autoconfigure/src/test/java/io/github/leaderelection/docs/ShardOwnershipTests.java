package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Elections;
import io.github.leaderelection.autoconfigure.Instances;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The recipe for shards that appear and disappear. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShardOwnershipTests {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Set<String> TABLE = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void clear() {
        TABLE.clear();
        TABLE.addAll(Set.of("a", "b"));
    }

    private static ShardOwnership synchronize(ConfigurableApplicationContext context) {
        ShardOwnership shards = context.getBean(ShardOwnership.class);
        shards.synchronize();
        return shards;
    }

    private static long owners(String shard, ShardOwnership... instances) {
        return Stream.of(instances).filter(instance -> instance.owns(shard)).count();
    }

    @Test
    void eachShardHasOneOwnerAsLongAsItExists() {
        try (TestServer server = new TestServer();
                Instances instances = new Instances("leader-election.zookeeper.connect-string=" + server.address())
                        .with(Application.class)) {
            ConfigurableApplicationContext first = instances.start();
            ConfigurableApplicationContext second = instances.start();
            ShardOwnership one = synchronize(first);
            ShardOwnership other = synchronize(second);
            await().atMost(BOUND).until(() -> owners("a", one, other) == 1 && owners("b", one, other) == 1);

            TABLE.remove("a");
            TABLE.add("c");
            synchronize(first);
            synchronize(second);
            await().atMost(BOUND).until(() -> owners("c", one, other) == 1);
            assertThat(owners("a", one, other)).isZero();
            assertThat(first.getBean(Elections.class).all())
                    .extracting("name")
                    .containsExactlyInAnyOrder("shard-b", "shard-c");

            ShardOwnership owner = one.owns("b") ? one : other;
            first.getBean(Elections.class).get("shard-b").delete();
            TABLE.remove("b");
            synchronize(first);
            synchronize(second);
            assertThat(owner.owns("b")).isFalse();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ShardOwnership.class)
    static class Application {

        @Bean
        ShardOwnership.ShardTable table() {
            return () -> TABLE;
        }
    }
}
