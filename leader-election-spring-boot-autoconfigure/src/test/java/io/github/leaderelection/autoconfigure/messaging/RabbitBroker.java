package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.zookeeper.fixture.FreePort;
import java.io.File;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A RabbitMQ server of Debian's package {@code rabbitmq-server}, with its own ports and data. */
final class RabbitBroker implements AutoCloseable {

    /** The script behind the one on the path, which would change to another user. */
    private static final Path SERVER = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");

    private final int port = FreePort.pick();
    private final int epmdPort = FreePort.pick();
    private final Path directory;
    private final Process process;

    RabbitBroker() throws IOException {
        directory = Files.createTempDirectory("rabbitmq");
        var builder = new ProcessBuilder(SERVER.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile());
        builder.environment().putAll(environment());
        process = builder.start();
    }

    private Map<String, String> environment() {
        return Map.of(
                "HOME", directory.toString(),
                "ERL_EPMD_PORT", String.valueOf(epmdPort),
                "RABBITMQ_NODENAME", "test-%d@localhost".formatted(port),
                "RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1",
                "RABBITMQ_NODE_PORT", String.valueOf(port),
                "RABBITMQ_DIST_PORT", String.valueOf(FreePort.pick()),
                "RABBITMQ_MNESIA_BASE", directory.resolve("data").toString(),
                "RABBITMQ_LOG_BASE", directory.resolve("log").toString(),
                "RABBITMQ_ENABLED_PLUGINS_FILE", directory.resolve("plugins").toString());
    }

    int port() {
        return port;
    }

    @Override
    public void close() throws Exception {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        // The server has started it as a daemon.
        new ProcessBuilder("epmd", "-port", String.valueOf(epmdPort), "-kill")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor(30, TimeUnit.SECONDS);
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    /** Skips the test if there is no RabbitMQ; with {@code -Drabbit.required=true} that is a failure. */
    @Retention(RetentionPolicy.RUNTIME)
    @ExtendWith(Presence.class)
    @interface Required {}

    static final class Presence implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (Files.isExecutable(SERVER)) {
                return ConditionEvaluationResult.enabled("There is a RabbitMQ server");
            }
            String reason = "There is no RabbitMQ server: %s is missing".formatted(SERVER);
            if (Boolean.getBoolean("rabbit.required")) {
                throw new IllegalStateException(reason);
            }
            return ConditionEvaluationResult.disabled(reason);
        }
    }
}
