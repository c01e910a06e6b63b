package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.sample.demo.Story.Happening;
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

/** What is done to a ZooKeeper that runs here. */
class ActionsTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Long enough to take the port meanwhile. */
    private static final Duration OUTAGE = Duration.ofSeconds(2);

    private final Story story = new Story();
    private final Restarts restarts = new Restarts(story);
    private DemoZooKeeper zooKeeper;
    private Actions actions;

    @BeforeEach
    void start() throws IOException {
        DemoProperties properties = new DemoProperties(List.of(), 0, Duration.ofSeconds(4), OUTAGE);
        zooKeeper = new DemoZooKeeper(properties, "");
        Replicas replicas = new Replicas(
                properties, zooKeeper, story, restarts, new JsonMapper(), new DefaultApplicationArguments());
        actions = new Actions(replicas, new Actuator(), zooKeeper, properties, story, restarts);
    }

    @AfterEach
    void stop() throws IOException {
        zooKeeper.close();
    }

    private int port() {
        return Integer.parseInt(zooKeeper.connectString().split(":")[1]);
    }

    private List<String> told() {
        return story.happenings().stream().map(Happening::detail).toList();
    }

    @Test
    void ifItCannotBeStartedAgainThatIsToldAndItCanBeTriedOnceMore() throws IOException {
        actions.restartZooKeeper();
        assertThatThrownBy(actions::restartZooKeeper).hasMessage("ZooKeeper is being restarted already");
        await().until(() -> !zooKeeper.isRunning());
        try (ServerSocket other = new ServerSocket(port(), 1, InetAddress.getLoopbackAddress())) {
            assertThat(other.isBound()).isTrue();
            await().atMost(PATIENCE).until(() -> told().size() == 2);
            assertThat(told().get(0))
                    .isEqualTo("cannot be restarted: port %d: Address already in use".formatted(port()));
            assertThat(told().get(1)).isEqualTo("stopped");
        }
        assertThat(zooKeeper.isRunning()).isFalse();

        actions.restartZooKeeper();
        await().atMost(PATIENCE).until(zooKeeper::isRunning);
        await().until(() -> told().size() == 3);
        assertThat(told().get(0)).isEqualTo("started again, with its data");
    }
}
