package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.sample.demo.Scene.Picture;
import io.github.leaderelection.sample.demo.Terms.Term;
import io.github.leaderelection.sample.shop.ShopStatus.Standing;
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

/** Three replicas, each started by itself from the jar, against an ensemble of three servers. */
class ReplicasOnAnEnsembleIT {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);
    private static final Duration LEASE = SESSION_TIMEOUT.dividedBy(3);

    private Ensemble ensemble;
    private List<ShopProcess> replicas = List.of();

    @BeforeEach
    void start() throws IOException {
        ensemble = new Ensemble();
        await().atMost(PATIENCE).until(ensemble::serves);
        replicas = IntStream.rangeClosed(1, 3).mapToObj(this::replica).toList();
        await().atMost(PATIENCE).until(() -> count(Role.LEADER) == 1 && count(Role.FOLLOWER) == 2);
    }

    private ShopProcess replica(int number) {
        return ShopProcess.replica(
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
                .filter(replica -> replica.standing("orders", role).isPresent())
                .count();
    }

    private Optional<ShopProcess> leader() {
        return replicas.stream()
                .filter(replica -> replica.standing("orders", Role.LEADER).isPresent())
                .findFirst();
    }

    @Test
    void whenTheLeadersProcessIsKilledAnotherOneLeadsWithinSessionTimeoutAndLease() {
        String urls =
                replicas.stream().map(replica -> replica.url().orElseThrow()).collect(Collectors.joining(","));
        try (DemoProcess page = new DemoProcess("--demo.replicas=" + urls)) {
            page.ready();
            ShopProcess killed = leader().orElseThrow();
            killed.process().kill();
            Instant end = Instant.now();

            ShopProcess next = await().atMost(PATIENCE)
                    .until(this::leader, Optional::isPresent)
                    .orElseThrow();
            Instant since =
                    next.standing("orders", Role.LEADER).map(Standing::since).orElseThrow();
            assertThat(Duration.between(end, since))
                    .as("fail-over")
                    .isBetween(Duration.ZERO, SESSION_TIMEOUT.plus(LEASE).plusSeconds(1));

            thePageShowsIt(page, killed, next);
        }
    }

    private static void thePageShowsIt(DemoProcess page, ShopProcess killed, ShopProcess next) {
        await().atMost(PATIENCE).until(() -> page.leader("orders").equals(name(next)));
        Picture picture = page.picture();
        assertThat(picture.processes()).isFalse();
        assertThat(picture.overlaps()).isZero();
        assertThat(picture.terms())
                .filteredOn(term -> term.election().equals("orders"))
                .extracting(Term::replica)
                .containsExactly(name(killed), name(next));
    }

    private static String name(ShopProcess replica) {
        return replica.url().orElseThrow().substring("http://".length());
    }
}
