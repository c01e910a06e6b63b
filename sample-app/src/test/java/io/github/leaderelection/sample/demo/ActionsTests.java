package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.sample.demo.History.Event;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.DefaultApplicationArguments;
import tools.jackson.databind.json.JsonMapper;

/** Actions on the embedded ZooKeeper server. */
class ActionsTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Long enough for the test to occupy the port in the meantime. */
    private static final Duration OUTAGE = Duration.ofSeconds(2);

    private final History history = new History();
    private final RestartCoordinator restarts = new RestartCoordinator(history);
    private DemoZooKeeper zooKeeper;
    private Actions actions;

    @BeforeEach
    void start() throws IOException {
        DemoProperties properties = new DemoProperties(List.of(), 0, Duration.ofSeconds(4), OUTAGE);
        zooKeeper = new DemoZooKeeper(properties, "");
        Replicas replicas = new Replicas(
                properties, zooKeeper, history, restarts, new JsonMapper(), new DefaultApplicationArguments());
        actions = new Actions(replicas, new ElectionEndpointClient(), zooKeeper, properties, history, restarts);
    }

    @AfterEach
    void stop() throws IOException {
        zooKeeper.close();
    }

    private int port() {
        return Integer.parseInt(zooKeeper.connectString().split(":")[1]);
    }

    private List<String> notes() {
        return history.events().stream().map(Event::detail).toList();
    }

    @Test
    void aFailedRestartIsReportedAndCanBeRepeated() throws IOException {
        actions.restartZooKeeper();
        assertThatThrownBy(actions::restartZooKeeper).hasMessage("ZooKeeper is already being restarted");
        await().until(() -> !zooKeeper.isRunning());
        try (ServerSocket other = new ServerSocket(port(), 1, InetAddress.getLoopbackAddress())) {
            assertThat(other.isBound()).isTrue();
            await().atMost(TIMEOUT).until(() -> notes().size() == 2);
            assertThat(notes().get(0)).isEqualTo("restart failed: port %d: Address already in use".formatted(port()));
            assertThat(notes().get(1)).isEqualTo("stopped");
        }
        assertThat(zooKeeper.isRunning()).isFalse();

        actions.restartZooKeeper();
        await().atMost(TIMEOUT).until(zooKeeper::isRunning);
        await().until(() -> notes().size() == 3);
        assertThat(notes().get(0)).isEqualTo("restarted with its existing data");
    }
}
