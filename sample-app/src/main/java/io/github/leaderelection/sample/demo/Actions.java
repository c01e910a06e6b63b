package io.github.leaderelection.sample.demo;

import java.net.URI;
import org.springframework.stereotype.Component;

/** What can be done to the replicas and to ZooKeeper. */
@Component
class Actions {

    private final Replicas replicas;
    private final Actuator actuator;
    private final DemoZooKeeper zooKeeper;
    private final DemoProperties properties;
    private final Story story;
    private final Restarts restarts;

    Actions(
            Replicas replicas,
            Actuator actuator,
            DemoZooKeeper zooKeeper,
            DemoProperties properties,
            Story story,
            Restarts restarts) {
        this.replicas = replicas;
        this.actuator = actuator;
        this.zooKeeper = zooKeeper;
        this.properties = properties;
        this.story = story;
        this.restarts = restarts;
    }

    void on(String name, String action) {
        Replica replica = replicas.get(name);
        switch (action) {
            case "crash" -> replicas.crash(replica);
            case "pause" -> replicas.pause(replica);
            case "restart" -> replicas.restart(replica);
            case "withdraw" -> inAllElections(replica, "withdraw");
            case "rejoin" -> inAllElections(replica, "nominate");
            default -> throw new IllegalArgumentException("There is no action " + action);
        }
    }

    private void inAllElections(Replica replica, String action) {
        URI url = url(replica);
        replica.elections().forEach(election -> actuator.act(url, election, action));
    }

    void stepDown(String name, String election) {
        actuator.act(url(replicas.get(name)), election, "step-down");
    }

    private static URI url(Replica replica) {
        return replica.url().orElseThrow(() -> new IllegalStateException(replica.name() + " does not run yet"));
    }

    /** Stops it for longer than a lease, so that nobody leads, and for less than a session, so that all go on. */
    void restartZooKeeper() {
        if (!zooKeeper.isOurs()) {
            throw new IllegalStateException("This ZooKeeper was not started here");
        }
        restarts.restart(DemoZooKeeper.NAME, this::stopZooKeeper, properties.outage(), this::startZooKeeper);
    }

    private void stopZooKeeper() {
        // It does not run if it could not be started the last time.
        if (zooKeeper.isRunning()) {
            story.note(DemoZooKeeper.NAME, "stopped");
            zooKeeper.stop();
        }
    }

    private void startZooKeeper() {
        zooKeeper.start();
        story.note(DemoZooKeeper.NAME, "started again, with its data");
    }
}
