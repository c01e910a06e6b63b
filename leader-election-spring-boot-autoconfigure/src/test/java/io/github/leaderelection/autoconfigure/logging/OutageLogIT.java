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
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;

/** What an instance logs while ZooKeeper is away, with the default levels; {@link InstancesOutageLogIT} has several. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutageLogIT {

    private static final Duration LEASE = Duration.ofMillis(3_334);
    private static final String ELECTION = "INFO io.github.leaderelection.Election: Election 'orders': ";
    private static final String CONNECTION = "INFO io.github.leaderelection.zookeeper.ZooKeeperElections: ";
    private static final String LOST = CONNECTION
            + "The connection to ZooKeeper is lost: leaders lead until their lease ends, unless it is restored before";
    private static final String REPLACED =
            "INFO io.github.leaderelection.zookeeper.engine.SessionManager: The ZooKeeper connection is replaced: its session has expired, or it was closed";
    private static final String CONNECTED =
            CONNECTION + "Connected to ZooKeeper \\(session 0x\\w+, timeout 10000 ms\\)";
    private static final String NO_LONGER_LEADS = ELECTION
            + "shop-1 no longer leads: CONNECTION_LOST \\(term 1, fencing token \\d+, until .+Z, after PT.+S\\)";

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

    /** Without what is said about a machine that is too slow for heartbeats. */
    private List<String> lines() {
        return events.stream()
                .filter(event -> !event.getFormattedMessage().startsWith("ZooKeeper took "))
                .map(event ->
                        "%s %s: %s".formatted(event.getLevel(), event.getLoggerName(), event.getFormattedMessage()))
                .toList();
    }

    @Test
    void anOutageThatIsShorterThanTheSessionTakesFourLines() {
        assertThat(linesOfOutage(Duration.ofSeconds(5)))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo(LOST),
                        line -> assertThat(line).matches(NO_LONGER_LEADS),
                        line -> assertThat(line).matches(CONNECTED),
                        line -> assertThat(line)
                                .matches(ELECTION
                                        + "shop-1 leads \\(term 2, fencing token \\d+, no leader for up to PT.+S\\)"));
    }

    @Test
    void anOutageThatIsLongerThanTheSessionTakesFiveLines() {
        Duration outage = Duration.ofSeconds(30);
        List<String> lines = linesOfOutage(outage);
        assertThat(lines)
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo(LOST),
                        line -> assertThat(line).matches(NO_LONGER_LEADS),
                        line -> assertThat(line).isEqualTo(REPLACED),
                        line -> assertThat(line).matches(CONNECTED),
                        line -> assertThat(line)
                                .matches(ELECTION
                                        + "shop-1 leads \\(term 2, fencing token \\d+, taken over in PT.+S, no leader for"
                                        + " up to PT.+S\\)"));
        String last = lines.get(lines.size() - 1);
        assertThat(Duration.parse(last.replaceAll(".* up to (PT.+S)\\)", "$1")))
                .as("from the end of the last term")
                .isGreaterThan(outage.minus(LEASE));
    }

    /** Returns the lines of the only instance, until it leads again. */
    private List<String> linesOfOutage(Duration outage) {
        try (TestServer server = new TestServer();
                Instances instances = new Instances(
                        "leader-election.candidate.id=shop-1",
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
            await().pollDelay(outage).atMost(outage.plusSeconds(5)).until(() -> true);
            assertThat(orders.isLeader()).isFalse();
            server.start();
            // Not until it leads, which is logged a moment later.
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> lines().stream().anyMatch(line -> line.contains("shop-1 leads")));

            List<String> lines = lines();
            assertThat(events)
                    .allSatisfy(event -> assertThat(event.getThrowableProxy()).isNull());
            return lines;
        }
    }

    /** As in Kubernetes, where the names of a service without pods are unknown. */
    @Test
    void anUnknownHostIsReportedOnce() {
        try (Instances instances = new Instances(
                "leader-election.zookeeper.connect-string=zookeeper.invalid:2181",
                "leader-election.fail-fast=false",
                "leader-election.elections.orders=")) {
            instances.start();
            record();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(lines())
                            .anyMatch(line -> line.startsWith("WARN")
                                    && line.contains(
                                            "There is no connection to ZooKeeper at zookeeper.invalid:2181 yet")));
            assertThat(lines()).noneMatch(line -> line.contains("org.apache.zookeeper"));
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
