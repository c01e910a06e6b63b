package io.github.leaderelection.sample.demo;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.DefaultApplicationArguments;
import tools.jackson.databind.json.JsonMapper;

/** A configured replica that the demo did not start. Nothing listens on its port. */
final class UnreachableReplica {

    static final String NAME = "127.0.0.1:1";

    private UnreachableReplica() {}

    static Replicas replicas(History history) throws IOException {
        DemoProperties properties =
                new DemoProperties(List.of(URI.create("http://" + NAME)), 0, Duration.ofSeconds(4), Duration.ZERO);
        return new Replicas(
                properties,
                new DemoZooKeeper(properties, ""),
                history,
                new RestartCoordinator(history),
                new JsonMapper(),
                new DefaultApplicationArguments());
    }
}
