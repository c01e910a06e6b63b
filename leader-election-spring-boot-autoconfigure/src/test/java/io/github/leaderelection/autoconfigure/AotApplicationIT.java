package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.zookeeper.fixture.ChildProcess;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** Methods, beans and message listeners run for a term after ahead-of-time processing, too. */
class AotApplicationIT {

    private static final String[] ARGUMENTS = {
        "--leader-election.mode=local",
        "--leader-election.elections.orders.participate=false",
        "--spring.docker.compose.enabled=false"
    };

    @Test
    void allThatRunsForATermRuns(@TempDir Path directory) throws Exception {
        Path classes = processAheadOfTime(directory);
        Path log = directory.resolve("output");
        try (ChildProcess process = ChildProcess.start(AotApplication.class, classes.toString(), log, ARGUMENTS)) {
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(Files.readAllLines(log))
                            .contains(
                                    "processed ahead of time: true",
                                    "nothing runs: true",
                                    "method runs",
                                    "bean runs",
                                    "listener receives 1"));
        }
    }

    private static Path processAheadOfTime(Path directory) throws Exception {
        Path sources = directory.resolve("sources");
        Path classes = Files.createDirectories(directory.resolve("classes"));
        List<String> arguments = new ArrayList<>(List.of(
                AotApplication.class.getName(),
                sources.toString(),
                classes.toString(),
                classes.toString(),
                "io.github.leaderelection",
                "test"));
        arguments.addAll(List.of(ARGUMENTS));
        SpringApplicationAotProcessor.main(arguments.toArray(String[]::new));
        compile(sources, classes);
        Files.writeString(classes.resolve("spring.properties"), "spring.aot.enabled=true");
        return classes;
    }

    private static void compile(Path sources, Path classes) throws IOException {
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
        var messages = new ByteArrayOutputStream();
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, messages, messages, options.toArray(String[]::new)))
                .as(messages::toString)
                .isZero();
    }
}
