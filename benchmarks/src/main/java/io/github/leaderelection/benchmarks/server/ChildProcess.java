package io.github.leaderelection.benchmarks.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process that we started, on our class path; it ends with us, however we end. */
public final class ChildProcess implements AutoCloseable {

    private final Process process;

    private ChildProcess(Process process) {
        this.process = process;
    }

    /** Starts the main class, which has to call {@link #endWithParent}. */
    public static ChildProcess start(Class<?> main, List<String> jvmOptions, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        try {
            return new ChildProcess(new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** In the child: its parent never writes to it, so the end of its input is the end of the parent. */
    public static void endWithParent() {
        Thread thread = new Thread(
                () -> {
                    try (InputStream input = System.in) {
                        input.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException gone) {
                        // As good as its end.
                    }
                    Runtime.getRuntime().halt(1);
                },
                "end-with-parent");
        thread.setDaemon(true);
        thread.start();
    }

    /** What it had to say is among our own errors; here is only how it ended. */
    void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "Process %d has ended with exit code %d".formatted(process.pid(), process.exitValue()));
        }
    }

    /** SIGKILL: it has no time to say anything. */
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
