package io.github.leaderelection.sample.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Java process of a test, which is killed in the end. */
final class JavaProcess implements AutoCloseable {

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    /** @param arguments those of the {@code java} command */
    JavaProcess(List<String> arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(arguments);
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Thread reader = new Thread(this::read, "output-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            output.lines().forEach(line -> {
                System.out.println("[" + process.pid() + "] " + line);
                lines.add(line);
            });
        } catch (IOException | UncheckedIOException ended) {
            // It was killed.
        }
    }

    /** The first group of the first line in which the pattern is found. */
    Optional<String> printed(String pattern) {
        return lines.stream()
                .map(Pattern.compile(pattern)::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst();
    }

    String output() {
        return String.join("\n", lines);
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGTERM. */
    CompletableFuture<Process> terminate() {
        process.destroy();
        return process.onExit();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        kill();
    }
}
