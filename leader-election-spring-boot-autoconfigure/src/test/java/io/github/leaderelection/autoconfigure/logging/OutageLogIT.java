package io.github.leaderelection.autoconfigure.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.github.leaderelection.Election;
import io.github.leaderelection.autoconfigure.Instances;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;

/** What an instance logs while ZooKeeper is away, with the default levels. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutageLogIT {

    private static final int MOST_LINES = 6;

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            // The server runs in this process, too.
            if (event.getLevel().isGreaterOrEqual(Level.INFO)
                    && !event.getLoggerName().startsWith("org.apache.zookeeper.server")) {
                events.add(event);
            }
        }
    };

    private final Logger zooKeeper = (Logger) LoggerFactory.getLogger("org.apache.zookeeper");

    /** Records with the levels of an application, which the configuration of the tests has changed. */
    private void record() {
        appender.start();
        root.setLevel(Level.INFO);
        zooKeeper.setLevel(null);
        root.addAppender(appender);
    }

    @AfterEach
    void stopRecording() {
        root.detachAppender(appender);
        root.setLevel(Level.WARN);
        zooKeeper.setLevel(Level.ERROR);
    }

    private List<String> lines() {
        return events.stream()
                .map(event ->
                        "%s %s: %s".formatted(event.getLevel(), event.getLoggerName(), event.getFormattedMessage()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 30})
    void outageTakesAFewLinesAndNoStackTrace(int seconds) {
        try (TestServer server = new TestServer();
                Instances instances = new Instances(
                        "leader-election.zookeeper.connect-string=" + server.address(),
                        "leader-election.zookeeper.session-timeout=10s",
                        "leader-election.zookeeper.connection-timeout=30s",
                        "leader-election.elections.orders=")) {
            ConfigurableApplicationContext instance = instances.start();
            Election orders = Instances.election(instance, "orders");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Instances.log(instance).events().contains("orders granted 1"));
            record();
            server.stop();
            Duration outage = Duration.ofSeconds(seconds);
            await().pollDelay(outage).atMost(outage.plusSeconds(5)).until(() -> true);
            assertThat(orders.isLeader()).isFalse();
            server.start();
            await().atMost(Duration.ofSeconds(60)).until(orders::isLeader);

            assertThat(lines())
                    .hasSizeLessThanOrEqualTo(MOST_LINES)
                    .allMatch(line -> line.startsWith("INFO io.github.leaderelection."))
                    .anyMatch(line -> line.contains("The connection to ZooKeeper is lost"))
                    .anyMatch(line -> line.contains("no longer leads: CONNECTION_LOST"))
                    .anyMatch(line -> line.contains("Connected to ZooKeeper"));
            assertThat(events)
                    .allSatisfy(event -> assertThat(event.getThrowableProxy()).isNull());
        }
    }

    @Test
    void startWithoutZooKeeperIsReported() {
        TestServer server = new TestServer();
        server.stop();
        try (Instances instances = new Instances(
                "leader-election.zookeeper.connect-string=" + server.address(),
                "leader-election.fail-fast=false",
                "leader-election.elections.orders=")) {
            instances.start();
            record();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(lines())
                            .anyMatch(line -> line.startsWith("WARN")
                                    && line.contains(
                                            "There is no connection to ZooKeeper at " + server.address() + " yet")
                                    && line.contains("does not accept connections")));
            assertThat(lines()).hasSize(1);
        } finally {
            server.start();
            server.close();
        }
    }
}
