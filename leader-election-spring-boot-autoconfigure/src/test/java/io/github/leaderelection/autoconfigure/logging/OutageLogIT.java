package io.github.leaderelection.autoconfigure.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.github.leaderelection.Election;
import io.github.leaderelection.autoconfigure.Instances;
import io.github.leaderelection.zookeeper.fixture.ChildProcess;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;

/** What an instance logs while ZooKeeper is away, with the default levels. */
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

    /** Each one joins behind the nodes of the former sessions, which disappear one after the other. */
    @Test
    void anOutageThatIsLongerThanTheSessionTakesAtMostSixLinesPerInstance(@TempDir Path directory) {
        List<String> ids = List.of("shop-1", "shop-2", "shop-3");
        try (TestServer server = new TestServer();
                Processes processes = new Processes()) {
            for (String id : ids) {
                processes.add(LoggingInstance.start(id, server.address(), log(directory, id)));
                String settled = id.equals("shop-1") ? "shop-1 leads (" : id + " follows shop-1 (";
                awaitThat(() -> read(log(directory, id)).contains(settled));
            }
            Map<String, Integer> before = new HashMap<>();
            ids.forEach(id -> before.put(id, read(log(directory, id)).length()));
            server.stop();
            await().pollDelay(Duration.ofSeconds(30))
                    .atMost(Duration.ofSeconds(35))
                    .until(() -> true);
            server.start();

            UnaryOperator<String> added = id -> read(log(directory, id)).substring(before.get(id));
            awaitThat(() -> ids.stream()
                                    .filter(id -> added.apply(id).contains(id + " leads ("))
                                    .count()
                            == 1
                    && ids.stream().allMatch(id -> added.apply(id).contains("Connected to ZooKeeper")));
            assertThat(ids).allSatisfy(id -> {
                List<String> lines = added.apply(id)
                        .lines()
                        .filter(line -> !line.contains(": ZooKeeper took "))
                        .toList();
                assertThat(lines).hasSizeBetween(3, 6).allMatch(line -> line.contains(" INFO "));
                assertThat(lines).as("stack traces").noneMatch(line -> line.startsWith("\tat "));
            });
        }
    }

    private static Path log(Path directory, String id) {
        return directory.resolve(id + ".log");
    }

    private static String read(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitThat(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60)).until(condition);
    }

    /** Stops the processes at the end of a test. */
    private static final class Processes implements AutoCloseable {

        private final List<ChildProcess> started = new ArrayList<>();

        void add(ChildProcess process) {
            started.add(process);
        }

        @Override
        public void close() {
            started.forEach(ChildProcess::close);
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
