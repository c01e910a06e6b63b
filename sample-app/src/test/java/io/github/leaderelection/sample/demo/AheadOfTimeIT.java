package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.autoconfigure.embedded.EmbeddedZooKeeper;
import io.github.leaderelection.sample.shop.ShopApplication;
import io.github.leaderelection.sample.shop.ShopStatus.Standing;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplicationAotProcessor;

/** The shop as ahead-of-time processing has built it, in both modes. */
class AheadOfTimeIT {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String ENABLED = "-Dspring.aot.enabled=true";
    private static final String BUILT_AHEAD = "(Starting AOT-processed ShopApplication)";

    private final List<ShopProcess> shops = new ArrayList<>();

    @AfterEach
    void stop() {
        shops.forEach(ShopProcess::close);
    }

    private ShopProcess add(ShopProcess shop) {
        shops.add(shop);
        return shop;
    }

    /** The jar contains what the build has generated for ZooKeeper. */
    private ShopProcess startJar(String argument) {
        return add(ShopProcess.replica(List.of(ENABLED), argument));
    }

    private ShopProcess start(Path generated, String argument) {
        return add(new ShopProcess(List.of(
                ENABLED,
                "-cp",
                generated + File.pathSeparator + System.getProperty("java.class.path"),
                ShopApplication.class.getName(),
                "--server.port=0",
                argument)));
    }

    private void awaitAll(ShopProcess shop, Role role) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(shop.standings())
                        .hasSize(3)
                        .extracting(Standing::role)
                        .containsOnly(role));
    }

    @Test
    void onZooKeeperTheLeaderRunsItsJobsAndTheFollowerDoesNot() throws IOException {
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(0, null)) {
            String address = "--leader-election.zookeeper.connect-string=" + zooKeeper.connectString();
            ShopProcess leader = startJar(address);
            awaitAll(leader, Role.LEADER);
            ShopProcess follower = startJar(address);
            awaitAll(follower, Role.FOLLOWER);
            assertThat(leader.process().printed(BUILT_AHEAD)).isPresent();

            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(leader.standings()).allMatch(standing -> standing.executed() > 0);
                assertThat(follower.standings()).allMatch(standing -> standing.skipped() > 1);
            });
            assertThat(follower.standings()).allMatch(standing -> standing.executed() == 0);
            // Here an election is injected by its name.
            assertThat(leader.get("/report", String.class).orElseThrow()).startsWith("Report of");
            assertThat(follower.get("/report", String.class).orElseThrow()).startsWith("Ask ");
        }
    }

    @Test
    void inLocalModeItLeadsAndRunsItsJobs(@TempDir Path directory) throws IOException {
        Path generated = processAheadOfTime(directory, "--leader-election.mode=local");
        ShopProcess shop = start(generated, "--leader-election.mode=local");
        awaitAll(shop, Role.LEADER);
        assertThat(shop.process().printed(BUILT_AHEAD)).isPresent();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(shop.standings()).allMatch(standing -> standing.executed() > 0));
        assertThat(shop.get("/report", String.class).orElseThrow()).startsWith("Report of");
    }

    @ParameterizedTest
    @CsvSource({
        "leader-election.mode, local, zookeeper",
        "leader-election.enabled, false, true",
        "leader-election.zookeeper.embedded.enabled, true, false"
    })
    void anotherValueThanItWasBuiltForFailsTheStartup(String property, String value, String built) {
        assertFails(startJar("--%s=%s".formatted(property, value)), property, value, built);
    }

    @Test
    void switchedOnItDoesNotStartIfItWasBuiltSwitchedOff(@TempDir Path directory) throws IOException {
        Path generated = processAheadOfTime(directory, "--leader-election.enabled=false");
        assertFails(start(generated, "--leader-election.enabled=true"), "leader-election.enabled", "true", "false");
    }

    private static void assertFails(ShopProcess shop, String property, String value, String built) {
        await().atMost(PATIENCE).until(() -> !shop.process().isAlive());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(shop.process().output())
                        .contains("%s is %s, but ahead-of-time processing has built this application for %s"
                                .formatted(property, value, built)));
    }

    /** What the build's process-aot does, with other arguments. */
    private Path processAheadOfTime(Path directory, String argument) throws IOException {
        Path sources = directory.resolve("sources");
        Path classes = Files.createDirectories(directory.resolve("classes"));
        try (JavaProcess processor = new JavaProcess(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                SpringApplicationAotProcessor.class.getName(),
                ShopApplication.class.getName(),
                sources.toString(),
                classes.toString(),
                classes.toString(),
                "io.github.leaderelection",
                "sample-app",
                argument))) {
            await().atMost(PATIENCE).until(() -> !processor.isAlive());
        }
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
