package io.github.leaderelection.zookeeper;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process with the class path of this one, to be paused and killed. It ends with this one at the latest. */
public final class ChildProcess implements AutoCloseable {

    private final Process process;

    private ChildProcess(Process process) {
        this.process = process;
    }

    /** What it prints goes to the log. */
    public static ChildProcess start(Class<?> main, Path log, String... arguments) {
        return start(main, "", ProcessBuilder.Redirect.appendTo(log.toFile()), arguments);
    }

    /** One with other jars in front of its class path. */
    static ChildProcess start(Class<?> main, String jars, Path log, String... arguments) {
        return start(main, jars, ProcessBuilder.Redirect.appendTo(log.toFile()), arguments);
    }

    /** What it prints can be read from {@link #output()}, and must be. */
    static ChildProcess start(Class<?> main, String... arguments) {
        return start(main, "", ProcessBuilder.Redirect.PIPE, arguments);
    }

    private static ChildProcess start(Class<?> main, String jars, ProcessBuilder.Redirect output, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dzookeeper.forceSync=no",
                "-cp",
                (jars.isEmpty() ? "" : jars + File.pathSeparator) + System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output)
                    .start();
            // One that is paused does not notice that we have ended.
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            return new ChildProcess(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    BufferedReader output() {
        return process.inputReader();
    }

    /** Writes a line to its standard input; in vain if it has ended. */
    public void tell(String line) {
        try {
            Writer input = process.outputWriter();
            input.write(line + "\n");
            input.flush();
        } catch (IOException gone) {
            // Nobody listens any more.
        }
    }

    /** SIGKILL. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
        awaitEnd();
    }

    /** SIGSTOP. */
    public void pause() {
        handle("-STOP");
    }

    /** SIGCONT. */
    public void resume() {
        handle("-CONT");
    }

    private void handle(String event) {
        try {
            Process kill = new ProcessBuilder("kill", event, String.valueOf(process.pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill " + event + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public void awaitEnd() {
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("Process " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** To be called by the child: its standard input ends when the parent does, however that may come. */
    static void endWithParent() {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nobody has anything to say here.
                        }
                    } catch (IOException gone) {
                        // The same.
                    }
                    Runtime.getRuntime().halt(1);
                },
                "end-with-parent");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        kill();
    }
}
