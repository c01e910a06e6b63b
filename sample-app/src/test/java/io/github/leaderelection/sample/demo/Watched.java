package io.github.leaderelection.sample.demo;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.DefaultApplicationArguments;
import tools.jackson.databind.json.JsonMapper;

/** One replica that was not started here, nobody being there in fact. */
final class Watched {

    static final String NAME = "127.0.0.1:1";

    private Watched() {}

    static Replicas replicas(Story story) throws IOException {
        DemoProperties properties =
                new DemoProperties(List.of(URI.create("http://" + NAME)), 0, Duration.ofSeconds(4), Duration.ZERO);
        return new Replicas(
                properties,
                new DemoZooKeeper(properties, ""),
                story,
                new Restarts(story),
                new JsonMapper(),
                new DefaultApplicationArguments());
    }
}
