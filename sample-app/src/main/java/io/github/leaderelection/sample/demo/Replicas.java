package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.demo.Replica.State;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** The replicas of the demo: child processes, or running replicas whose URLs are configured. */
@Component
class Replicas implements ApplicationRunner, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Replicas.class);

    private final DemoProperties properties;
    private final DemoZooKeeper zooKeeper;
    private final History history;
    private final RestartCoordinator restarts;
    private final JsonMapper json;
    private final List<String> electionArguments;
    private final List<Replica> replicas;
    private boolean closed;

    Replicas(
            DemoProperties properties,
            DemoZooKeeper zooKeeper,
            History history,
            RestartCoordinator restarts,
            JsonMapper json,
            ApplicationArguments arguments) {
        this.properties = properties;
        this.zooKeeper = zooKeeper;
        this.history = history;
        this.restarts = restarts;
        this.json = json;
        this.electionArguments = Arrays.stream(arguments.getSourceArgs())
                .filter(argument -> argument.startsWith("--leader-election."))
                .toList();
        this.replicas = properties.replicas().isEmpty()
                ? IntStream.rangeClosed(1, properties.count())
                        .mapToObj(number -> new Replica("shop-" + number))
                        .toList()
                : properties.replicas().stream().map(Replica::new).toList();
    }

    List<Replica> all() {
        return replicas;
    }

    Replica get(String name) {
        return replicas.stream()
                .filter(replica -> replica.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown replica: " + name));
    }

    /** Returns whether the demo starts the replicas, and may therefore kill and restart them. */
    boolean areChildProcesses() {
        return properties.replicas().isEmpty();
    }

    @Override
    public void run(ApplicationArguments ignored) {
        for (Replica replica : replicas) {
            if (areChildProcesses()) {
                start(replica);
            }
            Thread client = new Thread(new StatusStreamClient(replica, history, json), "status-" + replica.name());
            client.setDaemon(true);
            client.start();
        }
    }

    private synchronized void start(Replica replica) {
        if (closed) {
            return;
        }
        List<String> command = new ArrayList<>(List.of(
                ChildReplica.OPTION,
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--spring.main.log-startup-info=false",
                "--logging.level.root=warn",
                "--logging.level.org.apache.zookeeper=error",
                "--logging.level.io.github.leaderelection.sample=info",
                "--logging.pattern.console=%m%n",
                "--leader-election.candidate.id=" + replica.name(),
                "--leader-election.zookeeper.session-timeout="
                        + properties.sessionTimeout().toMillis() + "ms",
                "--leader-election.zookeeper.connect-string=" + zooKeeper.connectString()));
        command.addAll(electionArguments);
        ReplicaProcess process = ReplicaProcess.start(replica.name(), command, line -> handleOutput(replica, line));
        replica.processStarted(process);
        process.onExit(() -> history.processExited(replica.name()));
        history.addNote(replica.name(), "started as process " + process.pid());
    }

    private static void handleOutput(Replica replica, String line) {
        if (line.startsWith(ChildReplica.PORT_PREFIX)) {
            replica.listening(Integer.parseInt(line.substring(ChildReplica.PORT_PREFIX.length())));
            log.info(
                    "{}  {}/actuator/election",
                    replica.name(),
                    replica.url().map(URI::toString).orElseThrow());
        } else {
            log.info("{}  {}", replica.name(), line);
        }
    }

    void crash(Replica replica) {
        ReplicaProcess process = requireRunning(replica);
        history.addNote(replica.name(), "killed (SIGKILL)");
        process.kill();
    }

    void pause(Replica replica) {
        ReplicaProcess process = requireRunning(replica);
        Duration pause = properties.pauseDuration();
        history.addNote(replica.name(), "paused for %d s (SIGSTOP)".formatted(pause.toSeconds()));
        process.pause(pause).thenRun(() -> {
            if (process.isAlive()) {
                history.addNote(replica.name(), "resumed (SIGCONT)");
            }
        });
    }

    void restart(Replica replica) {
        requireChildProcess(replica);
        restarts.restart(replica.name(), () -> stop(replica), Duration.ZERO, () -> start(replica));
    }

    private void stop(Replica replica) {
        replica.process().filter(ReplicaProcess::isAlive).ifPresent(process -> {
            history.addNote(replica.name(), "stopped gracefully (SIGTERM)");
            process.terminate();
        });
    }

    private ReplicaProcess requireRunning(Replica replica) {
        requireChildProcess(replica);
        return replica.process()
                .filter(process -> replica.state() != State.DOWN && replica.state() != State.PAUSED)
                .orElseThrow(() -> new IllegalStateException(
                        replica.name() + (replica.state() == State.PAUSED ? " is paused" : " is not running")));
    }

    private void requireChildProcess(Replica replica) {
        if (!areChildProcesses()) {
            throw new IllegalStateException(
                    replica.name() + " was not started by the demo: kill, pause or restart it where it runs");
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        CompletableFuture.allOf(replicas.stream()
                        .flatMap(replica -> replica.process().stream())
                        .map(process -> CompletableFuture.runAsync(
                                process::terminate, runnable -> new Thread(runnable).start()))
                        .toArray(CompletableFuture[]::new))
                .join();
    }
}
