package io.github.leaderelection.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Waiting for a server to start. */
class FourLetterWordsTests {

    @Test
    void waitingEndsWithTheProcess() {
        // Only prints its version and exits; no server listens at this port.
        try (ChildProcess process = ChildProcess.start(ServerMain.class, List.of("--version"))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> new FourLetterWords(1).awaitServing(process, Duration.ofSeconds(60)))
                    .withMessageContaining("ended with exit code 0");
        }
    }
}
