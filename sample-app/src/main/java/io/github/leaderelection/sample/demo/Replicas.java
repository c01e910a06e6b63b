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

/** All replicas: starts them as processes, or watches those that run already, and does to them what the page asks. */
@Component
class Replicas implements ApplicationRunner, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Replicas.class);

    private final DemoProperties properties;
    private final DemoZooKeeper zooKeeper;
    private final Story story;
    private final Restarts restarts;
    private final JsonMapper json;
    private final List<String> arguments;
    private final List<Replica> replicas;
    private boolean closed;

    Replicas(
            DemoProperties properties,
            DemoZooKeeper zooKeeper,
            Story story,
            Restarts restarts,
            JsonMapper json,
            ApplicationArguments arguments) {
        this.properties = properties;
        this.zooKeeper = zooKeeper;
        this.story = story;
        this.restarts = restarts;
        this.json = json;
        // What is said about elections is meant for the replicas.
        this.arguments = Arrays.stream(arguments.getSourceArgs())
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
                .orElseThrow(() -> new IllegalArgumentException("No replica is called " + name));
    }

    /** Whether they are processes of ours, to be killed and started. */
    boolean areOurs() {
        return properties.replicas().isEmpty();
    }

    @Override
    public void run(ApplicationArguments ignored) {
        for (Replica replica : replicas) {
            if (areOurs()) {
                start(replica);
            }
            Thread watch = new Thread(new Watch(replica, story, json), "watch-" + replica.name());
            watch.setDaemon(true);
            watch.start();
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
        command.addAll(arguments);
        ReplicaProcess process = ReplicaProcess.start(replica.name(), command, line -> printed(replica, line));
        replica.runsAs(process);
        process.onExit(() -> story.ended(replica.name()));
        story.note(replica.name(), "started as process " + process.pid());
    }

    private static void printed(Replica replica, String line) {
        if (line.startsWith(ChildReplica.PORT)) {
            replica.listensAt(Integer.parseInt(line.substring(ChildReplica.PORT.length())));
            log.info(
                    "{}  {}/actuator/election",
                    replica.name(),
                    replica.url().map(URI::toString).orElseThrow());
        } else {
            log.info("{}  {}", replica.name(), line);
        }
    }

    void crash(Replica replica) {
        ReplicaProcess process = running(replica);
        story.note(replica.name(), "killed (SIGKILL)");
        process.kill();
    }

    void pause(Replica replica) {
        ReplicaProcess process = running(replica);
        Duration pause = properties.pause();
        story.note(replica.name(), "paused for %d s (SIGSTOP)".formatted(pause.toSeconds()));
        process.pause(pause).thenRun(() -> {
            if (process.isAlive()) {
                story.note(replica.name(), "goes on (SIGCONT)");
            }
        });
    }

    void restart(Replica replica) {
        requireOurs(replica);
        restarts.restart(replica.name(), () -> stop(replica), Duration.ZERO, () -> start(replica));
    }

    private void stop(Replica replica) {
        replica.process().filter(ReplicaProcess::isAlive).ifPresent(process -> {
            story.note(replica.name(), "stopped in an orderly way (SIGTERM)");
            process.terminate();
        });
    }

    private ReplicaProcess running(Replica replica) {
        requireOurs(replica);
        return replica.process()
                .filter(process -> replica.state() != State.DOWN && replica.state() != State.PAUSED)
                .orElseThrow(() -> new IllegalStateException(
                        replica.name() + (replica.state() == State.PAUSED ? " is paused" : " does not run")));
    }

    /** Of a process elsewhere there is nothing to kill, and whoever runs it is the one to start it. */
    private void requireOurs(Replica replica) {
        if (!areOurs()) {
            throw new IllegalStateException(
                    replica.name() + " is only watched here: kill, pause or restart it where it was started");
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
