package io.github.leaderelection.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The lines that a parent and its child process exchange. */
class ChildProcessTests {

    private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(60);

    /** Prints each line that it receives, until it receives "exit". */
    static final class Echo {

        private Echo() {}

        public static void main(String[] arguments) throws InterruptedException {
            BlockingQueue<String> commands = ChildProcess.commands();
            for (String command = commands.take(); !command.equals("exit"); command = commands.take()) {
                System.out.println(command);
            }
        }
    }

    @Test
    void reportsCanBeAwaitedInAnotherOrderThanTheyWereSent() throws Exception {
        try (ChildProcess process = ChildProcess.start(Echo.class, List.of())) {
            process.send("granted 1");
            process.send("joined 2");
            process.send("granted 3");

            assertThat(process.await("joined", TIMEOUT)).isEqualTo("2");
            assertThat(process.await("granted", TIMEOUT)).isEqualTo("1");
            assertThat(process.await("granted", TIMEOUT)).isEqualTo("3");
        }
    }

    @Test
    void aReportThatDoesNotComeIsATimeout() {
        try (ChildProcess process = ChildProcess.start(Echo.class, List.of())) {
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> process.await("granted", 1))
                    .withMessageContaining("granted");
        }
    }

    @Test
    void waitingEndsWithTheProcess() {
        try (ChildProcess process = ChildProcess.start(Echo.class, List.of())) {
            process.send("exit");

            assertThatIllegalStateException()
                    .isThrownBy(() -> process.await("granted", TIMEOUT))
                    .withMessageContaining("ended with exit code 0");
        }
    }
}
