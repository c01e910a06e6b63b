package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.SampleApplication;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.springframework.util.ClassUtils;

/** Process of a replica, started from the same jar or class path as the demo. */
final class ReplicaProcess {

    private static final String JAR_LAUNCHER = "org.springframework.boot.loader.launch.JarLauncher";
    private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(10);

    private final Process process;
    private volatile boolean paused;

    private ReplicaProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts a replica.
     *
     * @param output receives the output of the process line by line
     */
    static ReplicaProcess start(String name, List<String> arguments, Consumer<String> output) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(program());
        command.addAll(arguments);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            Thread reader = new Thread(() -> read(process, output), name + "-output");
            reader.setDaemon(true);
            reader.start();
            return new ReplicaProcess(process);
        } catch (IOException failure) {
            throw new UncheckedIOException("Could not start %s: %s".formatted(name, failure.getMessage()), failure);
        }
    }

    private static List<String> program() {
        String classPath = System.getProperty("java.class.path");
        return ClassUtils.isPresent(JAR_LAUNCHER, ClassLoader.getSystemClassLoader())
                ? List.of("-jar", classPath)
                : List.of("-cp", classPath, SampleApplication.class.getName());
    }

    private static void read(Process process, Consumer<String> output) {
        try (BufferedReader lines = process.inputReader()) {
            lines.lines().forEach(output);
        } catch (UncheckedIOException | IOException closed) {
            // The process was killed.
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isPaused() {
        return paused && process.isAlive();
    }

    void onExit(Runnable action) {
        process.onExit().thenRun(action);
    }

    /** Sends SIGKILL and waits for the exit. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Sends SIGTERM, upon which the replica leaves its elections. A paused process is killed: it cannot react. */
    void terminate() {
        if (isPaused()) {
            process.destroyForcibly();
        } else {
            // Not process.destroy(), which also closes standard input: the replica would assume that the demo has
            // exited, and exit at once.
            process.toHandle().destroy();
        }
        awaitExit();
    }

    private void awaitExit() {
        try {
            if (!process.waitFor(EXIT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    static boolean canPause() {
        return !System.getProperty("os.name").startsWith("Windows");
    }

    /**
     * Sends SIGSTOP, and SIGCONT after the given time. A shell sends both, so that the replica resumes, and exits, even if
     * the demo is killed in the meantime.
     */
    CompletableFuture<?> pause(Duration duration) {
        String script = "kill -STOP %1$d && sleep %2$d.%3$03d; kill -CONT %1$d"
                .formatted(process.pid(), duration.toSeconds(), duration.toMillisPart());
        try {
            paused = true;
            return new ProcessBuilder("sh", "-c", script)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .thenRun(() -> paused = false);
        } catch (IOException failure) {
            paused = false;
            throw new UncheckedIOException("Could not pause process " + process.pid(), failure);
        }
    }
}
