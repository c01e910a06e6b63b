package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.shop.ShopStatus;
import io.github.leaderelection.sample.shop.ShopStatus.Standing;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Everything that the page shows, at one instant. */
@Component
class Scene {

    private final Replicas replicas;
    private final Queues queues;
    private final Story story;
    private final DemoZooKeeper zooKeeper;
    private final Restarts restarts;

    Scene(Replicas replicas, Queues queues, Story story, DemoZooKeeper zooKeeper, Restarts restarts) {
        this.replicas = replicas;
        this.queues = queues;
        this.story = story;
        this.zooKeeper = zooKeeper;
        this.restarts = restarts;
    }

    /**
     * One picture.
     *
     * @param processes whether replicas can be killed, paused and started
     * @param overlaps how many pairs of terms of one election overlap; it should be none
     */
    record Picture(
            Instant now,
            Server zooKeeper,
            boolean processes,
            boolean pausable,
            List<Shown> replicas,
            List<Queue> elections,
            List<Terms.Term> terms,
            long overlaps,
            List<Story.Happening> events) {}

    /**
     * ZooKeeper.
     *
     * @param restartable whether it was started here
     * @param restarting whether it is about to be back
     */
    record Server(String address, boolean running, boolean restartable, boolean restarting) {}

    /** One replica; its standings are those that were last seen. */
    record Shown(
            String name,
            String candidate,
            @Nullable URI url,
            @Nullable Long pid,
            Replica.State state,
            boolean restarting,
            List<Standing> elections) {}

    /**
     * One election.
     *
     * @param leaders the replicas whose term lasts: one, or none
     * @param queue the candidates in their order, as ZooKeeper has them
     */
    record Queue(String name, List<String> leaders, List<String> queue) {}

    Picture picture() {
        List<Shown> shown = replicas.all().stream().map(this::show).toList();
        List<Terms.Term> terms = story.terms();
        return new Picture(
                Instant.now(),
                server(),
                replicas.areOurs(),
                ReplicaProcess.canPause(),
                shown,
                elections(shown, terms),
                terms,
                story.overlaps(),
                story.happenings());
    }

    private Server server() {
        return new Server(
                zooKeeper.connectString(),
                zooKeeper.isRunning(),
                zooKeeper.isOurs(),
                restarts.isUnderWay(DemoZooKeeper.NAME));
    }

    private Shown show(Replica replica) {
        return new Shown(
                replica.name(),
                replica.candidate(),
                replica.url().orElse(null),
                replica.process().map(ReplicaProcess::pid).orElse(null),
                replica.state(),
                restarts.isUnderWay(replica.name()),
                replica.status().map(ShopStatus::elections).orElseGet(List::of));
    }

    private List<Queue> elections(List<Shown> shown, List<Terms.Term> terms) {
        return shown.stream()
                .flatMap(replica -> replica.elections().stream())
                .map(Standing::election)
                .distinct()
                .map(name -> new Queue(name, leaders(name, terms), queues.of(name)))
                .toList();
    }

    private static List<String> leaders(String election, List<Terms.Term> terms) {
        return terms.stream()
                .filter(term -> term.election().equals(election) && term.until() == null)
                .map(Terms.Term::replica)
                .toList();
    }
}
