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

/** A process that runs one replica, from the same jar or class path as this one. */
final class ReplicaProcess {

    private static final String JAR_LAUNCHER = "org.springframework.boot.loader.launch.JarLauncher";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Process process;
    private volatile boolean paused;

    private ReplicaProcess(Process process) {
        this.process = process;
    }

    /** @param output gets what the process prints, line by line */
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
            throw new UncheckedIOException("Cannot start %s: %s".formatted(name, failure.getMessage()), failure);
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
        } catch (UncheckedIOException | IOException ended) {
            // It was killed.
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

    /** SIGKILL: no goodbye. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    /** SIGTERM: it leaves its elections before it ends. A process that is paused would not. */
    void terminate() {
        if (isPaused()) {
            process.destroyForcibly();
        } else {
            // Not process.destroy(), which closes the standard input, too: it would take that for the end of its
            // parent.
            process.toHandle().destroy();
        }
        await();
    }

    private void await() {
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
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
     * SIGSTOP, and SIGCONT when the time is over. A shell does both: the replica goes on, and notices that this process
     * is gone, even if this one is killed meanwhile.
     */
    CompletableFuture<?> pause(Duration time) {
        String script = "kill -STOP %1$d && sleep %2$d.%3$03d; kill -CONT %1$d"
                .formatted(process.pid(), time.toSeconds(), time.toMillisPart());
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
            throw new UncheckedIOException("Cannot pause process " + process.pid(), failure);
        }
    }
}
