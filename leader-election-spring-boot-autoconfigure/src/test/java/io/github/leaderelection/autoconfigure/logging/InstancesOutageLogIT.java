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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What instances in processes of their own log while ZooKeeper is away, with the default levels. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InstancesOutageLogIT {

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
}
