package io.github.leaderelection.containers;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.utility.DockerImageName;

/** The ZooKeeper image of the container tests, and whether a container engine has it. */
final class ZooKeeperImage {

    private static final String NAME =
            Optional.ofNullable(System.getenv("ZOOKEEPER_IMAGE")).orElse("zookeeper:3.9");

    private ZooKeeperImage() {}

    static DockerImageName name() {
        return DockerImageName.parse(NAME);
    }

    /** Skips the test if the image is missing; with {@code -Dcontainers.required=true} that is a failure. */
    @Retention(RetentionPolicy.RUNTIME)
    @ExtendWith(Presence.class)
    @interface Required {}

    static final class Presence implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (isPresent()) {
                return ConditionEvaluationResult.enabled("There is an engine with the image " + NAME);
            }
            String reason = "No container engine, or one without the image %s: see .ci/containers".formatted(NAME);
            if (Boolean.getBoolean("containers.required")) {
                throw new IllegalStateException(reason);
            }
            return ConditionEvaluationResult.disabled(reason);
        }

        private static boolean isPresent() {
            try {
                Process inspection = new ProcessBuilder("docker", "image", "inspect", NAME)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (!inspection.waitFor(30, TimeUnit.SECONDS)) {
                    inspection.destroyForcibly();
                    return false;
                }
                return inspection.exitValue() == 0;
            } catch (IOException noDocker) {
                return false;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
