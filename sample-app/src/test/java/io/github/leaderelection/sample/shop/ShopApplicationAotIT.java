package io.github.leaderelection.sample.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.autoconfigure.embedded.EmbeddedZooKeeper;
import io.github.leaderelection.sample.JavaProcess;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.io.ByteArrayOutputStream;
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

/** The shop after ahead-of-time processing, with ZooKeeper and in local mode. */
class ShopApplicationAotIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final String AOT_ENABLED = "-Dspring.aot.enabled=true";
    private static final String STARTED_WITH_AOT = "(Starting AOT-processed ShopApplication)";

    private final List<ShopProcess> shops = new ArrayList<>();

    @AfterEach
    void stop() {
        shops.forEach(ShopProcess::close);
    }

    private ShopProcess closeAfterwards(ShopProcess shop) {
        shops.add(shop);
        return shop;
    }

    /** Starts the jar, which contains the code that the build generated for ZooKeeper. */
    private ShopProcess startJar(String... arguments) {
        return closeAfterwards(ShopProcess.fromJar(List.of(AOT_ENABLED), arguments));
    }

    private ShopProcess start(Path generated, String argument) {
        return closeAfterwards(new ShopProcess(List.of(
                AOT_ENABLED,
                "-cp",
                generated + File.pathSeparator + System.getProperty("java.class.path"),
                ShopApplication.class.getName(),
                "--server.port=0",
                argument)));
    }

    private void awaitRoleInAllElections(ShopProcess shop, Role role) {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(shop.elections())
                        .hasSize(3)
                        .extracting(ElectionInfo::role)
                        .containsOnly(role));
    }

    @Test
    void onZooKeeperOnlyTheLeaderRunsTheJobs() throws IOException {
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(0, null)) {
            String address = "--leader-election.zookeeper.connect-string=" + zooKeeper.connectString();
            String oneLeader = "--leader-election.spread.enabled=false";
            ShopProcess leader = startJar(address, oneLeader);
            awaitRoleInAllElections(leader, Role.LEADER);
            ShopProcess follower = startJar(address, oneLeader);
            awaitRoleInAllElections(follower, Role.FOLLOWER);
            assertThat(leader.findInOutput(STARTED_WITH_AOT)).isPresent();

            await().atMost(TIMEOUT).untilAsserted(() -> {
                assertThat(leader.elections()).allMatch(election -> election.executed() > 0);
                assertThat(follower.elections()).allMatch(election -> election.skipped() > 1);
            });
            assertThat(follower.elections()).allMatch(election -> election.executed() == 0);
            assertThat(runningConsumers(leader)).isEqualTo("1.0");
            assertThat(runningConsumers(follower)).isEqualTo("0.0");
            // ReportController injects an election by its name.
            assertThat(leader.get("/report", String.class).orElseThrow()).startsWith("Report of");
            assertThat(follower.get("/report", String.class).orElseThrow()).startsWith("Ask ");
        }
    }

    /** What the gauge of the shop's only @WhileLeader method shows. */
    private static String runningConsumers(ShopProcess shop) {
        String meter = shop.get("/actuator/metrics/election.work", String.class).orElseThrow();
        assertThat(meter).contains("OrderIntake.consume");
        return meter.replaceAll("(?s).*\"value\":\\s*([0-9.]+).*", "$1");
    }

    @Test
    void inLocalModeTheInstanceLeadsAndRunsTheJobs(@TempDir Path directory) throws IOException {
        Path generated = processAheadOfTime(directory, "--leader-election.mode=local");
        ShopProcess shop = start(generated, "--leader-election.mode=local");
        awaitRoleInAllElections(shop, Role.LEADER);
        assertThat(shop.findInOutput(STARTED_WITH_AOT)).isPresent();
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(shop.elections()).allMatch(election -> election.executed() > 0));
        assertThat(shop.get("/report", String.class).orElseThrow()).startsWith("Report of");
    }

    @ParameterizedTest
    @CsvSource({
        "leader-election.mode, local, zookeeper",
        "leader-election.enabled, false, true",
        "leader-election.zookeeper.embedded.enabled, true, false"
    })
    void startupFailsIfAPropertyDiffersFromItsValueAtBuildTime(String property, String value, String built) {
        assertStartupFails(startJar("--%s=%s".formatted(property, value)), property, value, built);
    }

    @Test
    void startupFailsIfElectionsAreEnabledButWereDisabledAtBuildTime(@TempDir Path directory) throws IOException {
        Path generated = processAheadOfTime(directory, "--leader-election.enabled=false");
        assertStartupFails(
                start(generated, "--leader-election.enabled=true"), "leader-election.enabled", "true", "false");
    }

    private static void assertStartupFails(ShopProcess shop, String property, String value, String built) {
        await().atMost(TIMEOUT).until(() -> !shop.isAlive());
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(shop.output())
                        .contains("%s is %s, but ahead-of-time processing has built this application for %s"
                                .formatted(property, value, built)));
    }

    /** Does the same as the build's {@code process-aot} goal, with another argument. */
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
            await().atMost(TIMEOUT).until(() -> !processor.isAlive());
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
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, messages, messages, options.toArray(String[]::new)))
                .as(messages::toString)
                .isZero();
        return classes;
    }
}
