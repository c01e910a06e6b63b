package io.github.leaderelection.sample.demo;

import java.net.URI;
import org.springframework.stereotype.Component;

/** Actions of the page on the replicas and on ZooKeeper. */
@Component
class Actions {

    private final Replicas replicas;
    private final ElectionEndpointClient endpoint;
    private final DemoZooKeeper zooKeeper;
    private final DemoProperties properties;
    private final History history;
    private final RestartCoordinator restarts;

    Actions(
            Replicas replicas,
            ElectionEndpointClient endpoint,
            DemoZooKeeper zooKeeper,
            DemoProperties properties,
            History history,
            RestartCoordinator restarts) {
        this.replicas = replicas;
        this.endpoint = endpoint;
        this.zooKeeper = zooKeeper;
        this.properties = properties;
        this.history = history;
        this.restarts = restarts;
    }

    void perform(String name, String action) {
        Replica replica = replicas.get(name);
        switch (action) {
            case "crash" -> replicas.crash(replica);
            case "pause" -> replicas.pause(replica);
            case "restart" -> replicas.restart(replica);
            case "withdraw" -> inAllElections(replica, "withdraw");
            case "rejoin" -> inAllElections(replica, "nominate");
            default -> throw new IllegalArgumentException("Unknown action: " + action);
        }
    }

    private void inAllElections(Replica replica, String action) {
        URI url = url(replica);
        replica.elections().forEach(election -> endpoint.post(url, election, action));
    }

    void stepDown(String name, String election) {
        endpoint.post(url(replicas.get(name)), election, "step-down");
    }

    /** Moves the leadership to a replica. Every replica can be asked for that, so it asks one that responds. */
    void handOver(String election, String name) {
        Replica next = replicas.get(name);
        URI url = replicas.all().stream()
                .filter(replica -> replica.state() == Replica.State.UP)
                .findFirst()
                .map(Actions::url)
                .orElseThrow(() -> new IllegalStateException("No replica responds"));
        endpoint.handOver(url, election, next.candidate());
    }

    private static URI url(Replica replica) {
        return replica.url().orElseThrow(() -> new IllegalStateException(replica.name() + " is not running yet"));
    }

    /** Stops ZooKeeper for longer than a lease, so that leaders step down, but not until sessions expire. */
    void restartZooKeeper() {
        if (!zooKeeper.isEmbedded()) {
            throw new IllegalStateException("ZooKeeper was not started by the demo");
        }
        restarts.restart(DemoZooKeeper.NAME, this::stopZooKeeper, properties.outage(), this::startZooKeeper);
    }

    private void stopZooKeeper() {
        // The server is not running if the previous restart failed.
        if (zooKeeper.isRunning()) {
            history.addNote(DemoZooKeeper.NAME, "stopped");
            zooKeeper.stop();
        }
    }

    private void startZooKeeper() {
        zooKeeper.start();
        history.addNote(DemoZooKeeper.NAME, "restarted with its existing data");
    }
}
