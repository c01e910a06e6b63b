package io.github.leaderelection.autoconfigure.zookeeper;

import static io.github.leaderelection.ElectionContract.BACKGROUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.lifecycle.ElectionSettings;
import io.github.leaderelection.support.ConnectionStatus;
import io.github.leaderelection.zookeeper.ElectionOptions;
import io.github.leaderelection.zookeeper.ZooKeeperElections;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first election of an application is opened at run time, while ZooKeeper is unreachable. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ZooKeeperElectionProviderTests {

    private static final ElectionSettings SHARD =
            new ElectionSettings("shard-7", "/elections/shard-7", false, true, false, 0, Duration.ofSeconds(10));

    private final TestServer server = new TestServer();

    @AfterEach
    void closeServer() {
        server.close();
    }

    private ZooKeeperElectionProvider providerWithoutServer(Duration connectionTimeout) {
        String address = server.address();
        server.stop();
        return new ZooKeeperElectionProvider(
                () -> ZooKeeperElections.over(
                        watcher -> new ZooKeeper(address, 10_000, watcher),
                        ElectionOptions.defaults().connectionTimeout(connectionTimeout)),
                () -> address,
                List.of(),
                true);
    }

    @Test
    void failsWithConnectionExceptionAndReportsLostConnection() {
        ZooKeeperElectionProvider provider = providerWithoutServer(Duration.ofMillis(200));
        assertThat(provider.connection()).isEqualTo(ConnectionStatus.UNUSED);
        assertThatExceptionOfType(ElectionConnectionException.class).isThrownBy(() -> provider.open(SHARD));
        assertThat(provider.connection().state()).isEqualTo(ConnectionStatus.State.DISCONNECTED);
        assertThat(provider.shutDown()).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void shutdownDoesNotWaitForConnection() {
        ZooKeeperElectionProvider provider = providerWithoutServer(Duration.ofMinutes(5));
        CompletableFuture.runAsync(() -> provider.open(SHARD), BACKGROUND);
        await().until(() -> provider.connection().state() == ConnectionStatus.State.DISCONNECTED);
        assertThat(CompletableFuture.supplyAsync(provider::shutDown, BACKGROUND))
                .succeedsWithin(Duration.ofSeconds(20));
    }
}
