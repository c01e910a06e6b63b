package io.github.leaderelection.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Java process that a test starts, and kills when it is closed. Its output goes to a file in {@code target}. */
public class JavaProcess implements AutoCloseable {

    /** The executable jar of the sample. */
    protected static final Path SAMPLE_JAR = Path.of("target", "sample-app.jar");

    private static final Path OUTPUT_DIRECTORY = Path.of("target", "process-output");

    private final Process process;
    private final Path output;

    /**
     * Starts a process.
     *
     * @param arguments arguments of the {@code java} command
     */
    public JavaProcess(List<String> arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(arguments);
        try {
            output = Files.createTempFile(Files.createDirectories(OUTPUT_DIRECTORY), "java-", ".log");
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the first group of the first match of the pattern in the output so far. */
    public Optional<String> findInOutput(String pattern) {
        return Optional.of(Pattern.compile(pattern).matcher(output()))
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1));
    }

    /** Returns the complete lines of the output so far. */
    public String output() {
        try {
            String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
            return text.substring(0, text.lastIndexOf('\n') + 1);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public List<ProcessHandle> children() {
        return process.children().toList();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGTERM. */
    public CompletableFuture<Process> terminate() {
        process.destroy();
        return process.onExit();
    }

    /** Sends SIGKILL and waits for the exit. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        kill();
    }
}
