package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.autoconfigure.embedded.EmbeddedZooKeeper;
import io.github.leaderelection.sample.shop.ShopApplication;
import io.github.leaderelection.sample.shop.ShopStatus;
import io.github.leaderelection.sample.shop.ShopStatus.Standing;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** The shop as ahead-of-time processing has built it, in both modes. */
class AheadOfTimeIT {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String BUILT_AHEAD = "(Starting AOT-processed ShopApplication)";

    private final RestClient http = RestClient.create();
    private final List<JavaProcess> processes = new ArrayList<>();

    @AfterEach
    void stop() {
        processes.forEach(JavaProcess::close);
    }

    private JavaProcess start(String... arguments) {
        JavaProcess process =
                new JavaProcess(Stream.concat(Stream.of("-Dspring.aot.enabled=true"), Stream.of(arguments))
                        .toList());
        processes.add(process);
        return process;
    }

    /** The jar contains what the build has generated for ZooKeeper. */
    private JavaProcess startJar(String argument) {
        return start("-jar", Path.of("target", "sample-app.jar").toString(), "--replica", "--server.port=0", argument);
    }

    private <T> Optional<T> get(JavaProcess process, String path, Class<T> type) {
        try {
            return process.printed("Tomcat started on port (\\d+)")
                    .map(port -> http.get()
                            .uri("http://127.0.0.1:" + port + path)
                            .retrieve()
                            .body(type));
        } catch (ResourceAccessException notYet) {
            return Optional.empty();
        }
    }

    private List<Standing> standings(JavaProcess process) {
        return get(process, "/status", ShopStatus.class)
                .map(ShopStatus::elections)
                .orElseGet(List::of);
    }

    private void awaitAll(JavaProcess process, Role role) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(standings(process))
                        .hasSize(3)
                        .extracting(Standing::role)
                        .containsOnly(role));
    }

    @Test
    void onZooKeeperTheLeaderRunsItsJobsAndTheFollowerDoesNot() throws IOException {
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(0, null)) {
            String address = "--leader-election.zookeeper.connect-string=" + zooKeeper.connectString();
            JavaProcess leader = startJar(address);
            awaitAll(leader, Role.LEADER);
            JavaProcess follower = startJar(address);
            awaitAll(follower, Role.FOLLOWER);
            assertThat(leader.printed(BUILT_AHEAD)).isPresent();

            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(standings(leader)).allMatch(standing -> standing.executed() > 0);
                assertThat(standings(follower)).allMatch(standing -> standing.skipped() > 1);
            });
            assertThat(standings(follower)).allMatch(standing -> standing.executed() == 0);
            // Here an election is injected by its name.
            assertThat(get(leader, "/report", String.class).orElseThrow()).startsWith("Report of");
            assertThat(get(follower, "/report", String.class).orElseThrow()).startsWith("Ask ");
        }
    }

    @Test
    void inLocalModeItLeadsAndRunsItsJobs(@TempDir Path directory) throws IOException {
        Path generated = processAheadOfTime(directory, "--leader-election.mode=local");
        JavaProcess shop = start(
                "-cp",
                generated + File.pathSeparator + System.getProperty("java.class.path"),
                ShopApplication.class.getName(),
                "--server.port=0",
                "--leader-election.mode=local");
        awaitAll(shop, Role.LEADER);
        assertThat(shop.printed(BUILT_AHEAD)).isPresent();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(standings(shop)).allMatch(standing -> standing.executed() > 0));
        assertThat(get(shop, "/report", String.class).orElseThrow()).startsWith("Report of");
    }

    @Test
    void anotherModeThanItWasBuiltForFailsTheStartup() {
        JavaProcess shop = startJar("--leader-election.mode=local");
        await().atMost(PATIENCE).until(() -> !shop.isAlive());
        assertThat(shop.output())
                .contains("leader-election.mode is local, but ahead-of-time processing has built this application for"
                        + " zookeeper");
    }

    /** What the build's process-aot does, with other arguments. */
    private Path processAheadOfTime(Path directory, String argument) throws IOException {
        Path sources = directory.resolve("sources");
        Path classes = Files.createDirectories(directory.resolve("classes"));
        JavaProcess processor = new JavaProcess(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                SpringApplicationAotProcessor.class.getName(),
                ShopApplication.class.getName(),
                sources.toString(),
                classes.toString(),
                classes.toString(),
                "io.github.leaderelection",
                "sample-app",
                argument));
        processes.add(processor);
        await().atMost(PATIENCE).until(() -> !processor.isAlive());

        List<String> options = new ArrayList<>(List.of(
                "-proc:none",
                "-nowarn",
                "-d",
                classes.toString(),
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path")));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(options::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)))
                .isZero();
        return classes;
    }
}
