package io.github.leaderelection.benchmarks.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.autoconfigure.embedded.EmbeddedZooKeeper;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The recipe for elections that share the session of a Curator client. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CuratorConnectionConfigurationTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    @Test
    void electionsUseTheSessionOfCuratorAndFollowItToTheNextOne() throws Exception {
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(0, null);
                ConfigurableApplicationContext application = SpringApplication.run(
                        Application.class,
                        "--spring.main.banner-mode=off",
                        "--zookeeper=" + server.connectString(),
                        "--leader-election.elections.orders=")) {
            Election orders = application.getBean("ordersElection", Election.class);
            assertThat(orders.awaitLeadership(BOUND)).isTrue();
            ZooKeeper first = session(application);
            assertThat(connection(application).sessionId()).isEqualTo(first.getSessionId());

            var lost = new CompletableFuture<RevocationReason>();
            orders.addListener(new ElectionListener() {
                @Override
                public void revoked(Leadership term, RevocationReason reason) {
                    lost.complete(reason);
                }
            });
            expire(first, server);

            assertThat(lost).succeedsWithin(BOUND);
            assertThat(orders.awaitLeadership(BOUND)).isTrue();
            assertThat(connection(application).sessionId())
                    .isEqualTo(session(application).getSessionId())
                    .isNotEqualTo(first.getSessionId());
        }
    }

    private static ConnectionStatus connection(ConfigurableApplicationContext application) {
        return application.getBean(ZooKeeperElections.class).connection();
    }

    private static ZooKeeper session(ConfigurableApplicationContext application) throws Exception {
        return application.getBean(CuratorFramework.class).getZookeeperClient().getZooKeeper();
    }

    /** Ends the session by another client that joins it. */
    private static void expire(ZooKeeper client, EmbeddedZooKeeper server) throws Exception {
        var connected = new CountDownLatch(1);
        var twin = new ZooKeeper(
                server.connectString(),
                client.getSessionTimeout(),
                event -> {
                    if (event.getState() == KeeperState.SyncConnected) {
                        connected.countDown();
                    }
                },
                client.getSessionId(),
                client.getSessionPasswd());
        connected.await();
        twin.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(CuratorConnectionConfiguration.class)
    static class Application {

        @Bean(initMethod = "start")
        CuratorFramework curator(Environment environment) {
            return CuratorFrameworkFactory.newClient(
                    environment.getRequiredProperty("zookeeper"), 6_000, 6_000, new RetryForever(100));
        }
    }
}
