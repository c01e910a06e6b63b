package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.zookeeper.fixture.ChildProcess;
import io.github.leaderelection.zookeeper.fixture.ReportFile;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;

/** An instance in a process of its own, which can crash. Its reports come through its standard output. */
final class ProcessInstance extends Instance {

    /** Distinguishes reports from lines of the log. */
    private static final String REPORT = "REPORT ";

    private final ChildProcess process;
    private final Thread reader;

    ProcessInstance(String name, TestServer server, Journal journal, Class<?> application, String... properties) {
        super(name, server, journal);
        process = ChildProcess.start(
                ProcessInstance.class,
                Stream.concat(Stream.of(name, proxy().address(), application.getName()), Arrays.stream(properties))
                        .toArray(String[]::new));
        reader = new Thread(this::readOutput, "output-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    private void readOutput() {
        try (BufferedReader output = process.output()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(REPORT)) {
                    MessageHandler.enter(journal(), name(), line.substring(REPORT.length()));
                } else {
                    ReportFile.of("consumer-processes.log").line("[" + name() + "] " + line);
                }
            }
        } catch (IOException ended) {
            // The process was killed.
        }
    }

    @Override
    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL: it can neither finish its work nor say good-bye to anyone. */
    void crash() {
        process.kill();
        try {
            // What it has reported before is still in the pipe.
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        journal().killed(name());
    }

    @Override
    public void close() {
        process.kill();
        super.close();
    }

    public static void main(String[] arguments) throws ClassNotFoundException {
        ChildProcess.endWithParent();
        // Docker Compose is switched off by itself only within tests.
        String[] properties = Stream.concat(
                        Arrays.stream(arguments).skip(3),
                        Stream.of("spring.main.keep-alive=true", "spring.docker.compose.enabled=false"))
                .toArray(String[]::new);
        // The parent process reads this.
        MessageHandler.Reports reports = line -> System.out.println(REPORT + line);
        var unused = run(arguments[0], arguments[1], reports, Class.forName(arguments[2]), properties);
    }
}
