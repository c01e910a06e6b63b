package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.sample.demo.TermTracker.Term;
import io.github.leaderelection.sample.shop.ShopProcess;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three replicas on an ensemble of three servers, shown by a demo that did not start them. */
class ExternalReplicasIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);
    private static final Duration LEASE = SESSION_TIMEOUT.dividedBy(3);

    private ZooKeeperEnsemble ensemble;
    private List<ShopProcess> replicas = List.of();

    @BeforeEach
    void start() throws IOException {
        ensemble = new ZooKeeperEnsemble();
        await().atMost(TIMEOUT).until(ensemble::isServing);
        replicas = IntStream.rangeClosed(1, 3).mapToObj(this::replica).toList();
        await().atMost(TIMEOUT).until(() -> count(Role.LEADER) == 1 && count(Role.FOLLOWER) == 2);
    }

    private ShopProcess replica(int number) {
        return ShopProcess.fromJar(
                List.of(),
                "--leader-election.candidate.id=shop-" + number,
                "--leader-election.zookeeper.session-timeout=" + SESSION_TIMEOUT.toSeconds() + "s",
                "--leader-election.zookeeper.connect-string=" + ensemble.connectString());
    }

    @AfterEach
    void stop() {
        replicas.forEach(ShopProcess::close);
        ensemble.close();
    }

    private long count(Role role) {
        return replicas.stream()
                .filter(replica -> replica.election("orders", role).isPresent())
                .count();
    }

    private Optional<ShopProcess> leader() {
        return replicas.stream()
                .filter(replica -> replica.election("orders", Role.LEADER).isPresent())
                .findFirst();
    }

    @Test
    void afterALeaderIsKilledAnotherReplicaLeadsWithinSessionTimeoutAndLease() {
        String urls =
                replicas.stream().map(replica -> replica.url().orElseThrow()).collect(Collectors.joining(","));
        try (DemoProcess demo = new DemoProcess("--demo.replicas=" + urls)) {
            demo.awaitReady();
            ShopProcess killed = leader().orElseThrow();
            killed.kill();
            Instant end = Instant.now();

            ShopProcess next = await().atMost(TIMEOUT)
                    .until(this::leader, Optional::isPresent)
                    .orElseThrow();
            Instant since = next.election("orders", Role.LEADER)
                    .map(ElectionInfo::since)
                    .orElseThrow();
            assertThat(Duration.between(end, since))
                    .as("failover")
                    .isBetween(Duration.ZERO, SESSION_TIMEOUT.plus(LEASE).plusSeconds(1));

            assertShown(demo, killed, next);
        }
    }

    private static void assertShown(DemoProcess demo, ShopProcess killed, ShopProcess next) {
        await().atMost(TIMEOUT).until(() -> demo.leader("orders").equals(name(next)));
        DemoSnapshot snapshot = demo.snapshot();
        assertThat(snapshot.controllable()).isFalse();
        assertThat(snapshot.overlaps()).isZero();
        assertThat(snapshot.terms())
                .filteredOn(term -> term.election().equals("orders"))
                .extracting(Term::replica)
                .endsWith(name(killed), name(next));
    }

    private static String name(ShopProcess replica) {
        return replica.url().orElseThrow().substring("http://".length());
    }
}
