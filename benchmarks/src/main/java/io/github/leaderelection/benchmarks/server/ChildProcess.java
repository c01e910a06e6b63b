package io.github.leaderelection.benchmarks.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A Java process with the same class path. It ends with its parent, even if the parent is killed. Both can exchange lines
 * over the standard input and output of the child.
 */
public final class ChildProcess implements AutoCloseable {

    private static final int POLL_MILLIS = 100;

    private final Process process;
    private final Map<String, BlockingQueue<String>> reports = new ConcurrentHashMap<>();

    private ChildProcess(Process process) {
        this.process = process;
        startReading("child-" + process.pid(), process.getInputStream(), this::add, () -> {});
    }

    private void add(String line) {
        String[] parts = line.split(" ", 2);
        reports(parts[0]).add(parts.length == 1 ? "" : parts[1]);
    }

    private BlockingQueue<String> reports(String word) {
        return reports.computeIfAbsent(word, any -> new LinkedBlockingQueue<>());
    }

    /** Starts the main class, which has to call {@link #endWithParent} or {@link #commands}. */
    public static ChildProcess start(Class<?> main, List<String> jvmOptions, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        try {
            return new ChildProcess(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** In the child: ends this process at the end of its input, which is the end of the parent. */
    public static void endWithParent() {
        listen(line -> {});
    }

    /** In the child: the lines that the parent sends. Ends this process with the parent, as {@link #endWithParent} does. */
    public static BlockingQueue<String> commands() {
        BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        listen(commands::add);
        return commands;
    }

    private static void listen(Consumer<String> listener) {
        startReading(
                "end-with-parent",
                System.in,
                listener,
                () -> Runtime.getRuntime().halt(1));
    }

    private static void startReading(String thread, InputStream input, Consumer<String> listener, Runnable atEnd) {
        Thread reader = new Thread(
                () -> {
                    try (var lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8))) {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            listener.accept(line);
                        }
                    } catch (IOException closed) {
                        // The same as the end of the input.
                    }
                    atEnd.run();
                },
                thread);
        reader.setDaemon(true);
        reader.start();
    }

    /** Sends the child a line. */
    public void send(String line) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Waits for the next line of the child that starts with the given word, and returns the rest of it. */
    public String await(String word, long timeoutNanos) throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + timeoutNanos;
        String rest = reports(word).poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        while (rest == null) {
            requireAlive();
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("Process " + process.pid() + " has not reported: " + word);
            }
            rest = reports(word).poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
        return rest;
    }

    /** The child shares our standard error, so the reason is there; this only reports the exit code. */
    void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "Process %d has ended with exit code %d".formatted(process.pid(), process.exitValue()));
        }
    }

    /** SIGSTOP: the process stops where it is. It can still be killed. */
    public void freeze() {
        try {
            int exit = new ProcessBuilder("kill", "-STOP", String.valueOf(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("Process %d cannot be stopped".formatted(process.pid()));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGKILL: the process cannot react to it. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Process " + process.pid() + " does not end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
