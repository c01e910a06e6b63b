package io.github.leaderelection.autoconfigure.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.zookeeper.fixture.ChildProcess;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What two instances log when the leader is frozen for longer than its session, with the default levels. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FreezeLogIT {

    private static final Duration FREEZE = Duration.ofSeconds(20);
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Pattern LINE = Pattern.compile("(?m)^\\S+ +(INFO|WARN|ERROR) .+? : (.+)$");
    private static final String NODE = "\\(c-\\w+\\.1-\\d{10}\\)";
    private static final String TERM = "term 1, fencing token \\d+";

    @TempDir
    Path directory;

    private Path frozen;
    private Path other;

    @BeforeEach
    void name() {
        frozen = directory.resolve("frozen.log");
        other = directory.resolve("other.log");
    }

    private static String read(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(String text) {
        return LINE.matcher(text)
                .results()
                .map((MatchResult line) -> line.group(1) + " " + line.group(2))
                .toList();
    }

    private static void awaitLine(Path log, int after, String part) {
        await().atMost(BOUND).until(() -> read(log).substring(after).contains(part));
    }

    @Test
    void aFreezeTakesAFewLinesThatTellWhatHappened() {
        try (TestServer server = new TestServer();
                ChildProcess leader = LoggingInstance.start("shop-1", server.address(), frozen)) {
            awaitLine(frozen, 0, "shop-1 leads (");
            try (ChildProcess follower = LoggingInstance.start("shop-2", server.address(), other)) {
                awaitLine(other, 0, "shop-2 follows shop-1 (");
                // The heir has to see a heartbeat.
                await().pollDelay(Duration.ofSeconds(2)).atMost(BOUND).until(() -> true);
                int frozenBefore = read(frozen).length();
                int otherBefore = read(other).length();
                leader.pause();
                await().pollDelay(FREEZE).atMost(FREEZE.plusSeconds(10)).until(() -> true);
                String meanwhile = read(other).substring(otherBefore);
                leader.resume();
                awaitLine(frozen, frozenBefore, "shop-1 follows shop-2 (");

                assertThat(lines(meanwhile))
                        .singleElement()
                        .asString()
                        .matches("INFO Election 'orders': shop-2 leads \\(" + TERM
                                + ", taken over in PT.+S, no leader for up to PT.+S\\)");
                assertThat(lines(read(other).substring(otherBefore + meanwhile.length())))
                        .isEmpty();
                assertThat(lines(read(frozen).substring(frozenBefore)))
                        .satisfiesExactlyInAnyOrder(
                                line -> assertThat(line)
                                        .matches("INFO Election 'orders': shop-1 no longer leads: LEASE_EXPIRED \\("
                                                + TERM + ", until .+Z, after PT.+S\\)"),
                                line -> assertThat(line)
                                        .isEqualTo(
                                                "INFO The connection to ZooKeeper is lost: leaders lead until their lease"
                                                        + " ends, unless it is restored before"),
                                line -> assertThat(line)
                                        .isEqualTo(
                                                "INFO The ZooKeeper connection is replaced: its session has expired, or it"
                                                        + " was closed"),
                                line -> assertThat(line)
                                        .matches("INFO Connected to ZooKeeper \\(session 0x\\w+, timeout 10000 ms\\)"),
                                line -> assertThat(line)
                                        .matches("INFO Election 'orders': shop-1 follows shop-2 " + NODE));
                assertThat(read(frozen).substring(frozenBefore))
                        .as("stack traces")
                        .doesNotContain("\tat ");
            }
        }
    }
}
