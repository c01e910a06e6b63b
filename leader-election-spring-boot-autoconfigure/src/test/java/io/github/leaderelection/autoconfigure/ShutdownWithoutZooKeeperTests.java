package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.leaderelection.Election;
import io.github.leaderelection.zookeeper.fixture.RecordedLog;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that is stopped while ZooKeeper cannot be reached waits for its own work, and hardly longer. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShutdownWithoutZooKeeperTests {

    private static final Duration BOUND = Duration.ofSeconds(30);
    /** Twice as long as it should take, for slow machines; still less than any timeout of the connection. */
    private static final Duration MOST_AFTER_DRAINING = Duration.ofSeconds(4);

    private enum Outage {
        REFUSED {
            @Override
            void begin(TcpProxy proxy) {
                proxy.cut();
            }
        },
        SILENT {
            @Override
            void begin(TcpProxy proxy) {
                proxy.blackHole();
            }
        };

        abstract void begin(TcpProxy proxy);
    }

    private final RecordedLog log = new RecordedLog();
    private final TestServer server = new TestServer();
    private final TcpProxy proxy = new TcpProxy(server.port());

    @AfterEach
    void close() {
        log.afterEach(null);
        proxy.close();
        server.close();
    }

    private ConfigurableApplicationContext start(Class<?>... beans) {
        return start("10s", beans);
    }

    private ConfigurableApplicationContext start(String sessionTimeout, Class<?>... beans) {
        ConfigurableApplicationContext context = new Instances(
                        "leader-election.zookeeper.connect-string=" + proxy.address(),
                        "leader-election.zookeeper.session-timeout=" + sessionTimeout,
                        "leader-election.zookeeper.connection-timeout=15s",
                        "leader-election.elections.orders=",
                        "leader-election.elections.billing=")
                .with(beans)
                .start();
        await().atMost(BOUND).until(() -> Instances.election(context, "orders").isLeader());
        await().atMost(BOUND).until(() -> Instances.election(context, "billing").isLeader());
        // Not before: starting an application configures the log afresh.
        log.beforeEach(null);
        return context;
    }

    private static Duration timeToClose(ConfigurableApplicationContext context) {
        long start = System.nanoTime();
        context.close();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @ParameterizedTest
    @EnumSource(Outage.class)
    void theShutdownDoesNotWaitForZooKeeper(Outage outage) {
        ConfigurableApplicationContext context = start();
        outage.begin(proxy);
        assertThat(timeToClose(context)).isLessThan(MOST_AFTER_DRAINING);
        assertThat(log.lines())
                .noneMatch(line -> line.contains("is replaced") || line.startsWith("Connected to ZooKeeper"));
        assertThat(log.events()).extracting(ILoggingEvent::getThrowableProxy).containsOnlyNulls();
    }

    @ParameterizedTest
    @EnumSource(Outage.class)
    void anApplicationsOwnConnectionDoesNotDelayTheShutdownEither(Outage outage) {
        ConfigurableApplicationContext context = start(OwnConnection.class);
        outage.begin(proxy);
        assertThat(timeToClose(context)).isLessThan(MOST_AFTER_DRAINING);
    }

    @Test
    void runningWorkIsStillWaitedFor() throws Exception {
        ConfigurableApplicationContext context = start();
        Duration work = Duration.ofSeconds(3);
        Thread worker = work(context, work);
        proxy.blackHole();
        assertThat(timeToClose(context)).isBetween(work.minusMillis(500), work.plus(MOST_AFTER_DRAINING));
        worker.join();
    }

    @Test
    void runningWorkIsWaitedForAfterTheEndOfTheSessionToo() throws Exception {
        ConfigurableApplicationContext context = start("2s");
        // The client gives the session up long before.
        Duration work = Duration.ofSeconds(8);
        Thread worker = work(context, work);
        proxy.cut();
        assertThat(timeToClose(context)).isGreaterThan(work.minusMillis(500));
        worker.join();
    }

    @Test
    void aSessionThatEndsDuringTheShutdownIsNotReplaced() throws Exception {
        ConfigurableApplicationContext context = start();
        Duration longerThanTheSession = Duration.ofSeconds(7);
        Thread worker = work(context, longerThanTheSession);
        proxy.cut();
        Thread closing = new Thread(context::close);
        closing.start();
        await().atMost(BOUND).until(() -> log.lines().stream().anyMatch(line -> line.contains("no longer leads")));
        // From now on a session could be opened.
        proxy.open();
        worker.join();
        closing.join();
        assertThat(log.lines()).noneMatch(line -> line.contains("is replaced"));
    }

    /** Leader-only work that does not react to an interrupt. */
    private static Thread work(ConfigurableApplicationContext context, Duration time) throws InterruptedException {
        Election orders = Instances.election(context, "orders");
        var running = new CountDownLatch(1);
        Thread worker = new Thread(() -> orders.runIfLeader(term -> {
            running.countDown();
            long end = System.nanoTime() + time.toNanos();
            while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(10_000_000);
                // The flag would keep it from parking.
                boolean ignored = Thread.interrupted();
            }
        }));
        worker.start();
        running.await();
        return worker;
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConnection {

        /** Its own end may take long, and does not concern the elections. */
        @Bean(destroyMethod = "")
        ZooKeeper zooKeeper(@Value("${leader-election.zookeeper.connect-string}") String address) throws Exception {
            return new ZooKeeper(address, 10_000, event -> {});
        }
    }
}
