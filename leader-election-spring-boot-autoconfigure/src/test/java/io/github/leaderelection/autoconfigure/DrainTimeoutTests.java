package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An election may have a drain timeout of its own. */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DrainTimeoutTests {

    private static TestServer server;

    @BeforeAll
    static void startServer() {
        server = new TestServer();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zookeeper", "local"})
    void workThatOverrunsTheTimeoutOfItsElectionIsInterrupted(String mode) throws Exception {
        try (Instances instances = new Instances(
                "leader-election.zookeeper.connect-string=" + server.address(),
                "leader-election.mode=" + mode,
                "leader-election.drain-timeout=10m",
                "leader-election.elections.orders.drain-timeout=100ms",
                "spring.lifecycle.timeout-per-shutdown-phase=1m")) {
            Election orders = Instances.election(instances.start(), "orders");
            assertThat(orders.awaitLeadership(Duration.ofSeconds(30))).isTrue();
            var running = new CountDownLatch(1);
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            // Not in the common pool, which may have a single thread.
            Executor threads = task -> new Thread(task).start();
            CompletableFuture<Boolean> work = CompletableFuture.supplyAsync(
                    () -> orders.runIfLeader(term -> {
                        running.countDown();
                        interrupted.complete(awaitInterrupt());
                    }),
                    threads);
            running.await();
            CompletableFuture<Void> withdrawn = CompletableFuture.runAsync(orders::withdraw, threads);
            await().atMost(Duration.ofSeconds(30)).until(withdrawn::isDone);
            assertThat(interrupted.join()).isTrue();
            assertThat(work.join()).isTrue();
        }
    }

    private static boolean awaitInterrupt() {
        try {
            return new CountDownLatch(1).await(60, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            return true;
        }
    }
}
