package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.sample.shop.ShopStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** Three replicas, started from the jar as the README tells, against an ensemble of three servers. */
class ReplicasOnAnEnsembleIT {

    private static final Path JAR = Path.of("target", "sample-app.jar");
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);
    private static final Duration LEASE = SESSION_TIMEOUT.dividedBy(3);

    private final RestClient http = RestClient.create();
    private final List<JavaProcess> replicas = new ArrayList<>();

    @AfterEach
    void stop() {
        replicas.forEach(JavaProcess::close);
    }

    private JavaProcess start(Ensemble ensemble, int number) {
        JavaProcess replica = new JavaProcess(List.of(
                "-jar",
                JAR.toString(),
                "--replica",
                "--server.port=0",
                "--leader-election.candidate.id=shop-" + number,
                "--leader-election.zookeeper.session-timeout=" + SESSION_TIMEOUT.toSeconds() + "s",
                "--leader-election.zookeeper.connect-string=" + ensemble.connectString()));
        replicas.add(replica);
        return replica;
    }

    private Optional<ShopStatus> status(JavaProcess replica) {
        try {
            return replica.printed("Tomcat started on port (\\d+)")
                    .map(port -> http.get()
                            .uri("http://127.0.0.1:" + port + "/status")
                            .retrieve()
                            .body(ShopStatus.class));
        } catch (ResourceAccessException unreachable) {
            return Optional.empty();
        }
    }

    private Optional<Instant> leadsSince(JavaProcess replica, String election) {
        return status(replica).stream()
                .flatMap(status -> status.elections().stream())
                .filter(standing -> standing.election().equals(election) && standing.role() == Role.LEADER)
                .map(ShopStatus.Standing::since)
                .filter(Objects::nonNull)
                .findFirst();
    }

    private boolean follows(JavaProcess replica) {
        return status(replica).stream()
                .flatMap(status -> status.elections().stream())
                .anyMatch(standing -> standing.role() == Role.FOLLOWER);
    }

    @Test
    void whenTheLeadersProcessIsKilledAnotherOneLeadsWithinSessionTimeoutAndLease() throws IOException {
        try (Ensemble ensemble = new Ensemble()) {
            await().atMost(Duration.ofSeconds(60)).until(ensemble::serves);
            List<JavaProcess> all = IntStream.rangeClosed(1, 3)
                    .mapToObj(number -> start(ensemble, number))
                    .toList();
            await().atMost(Duration.ofSeconds(120))
                    .until(() -> all.stream()
                                            .filter(replica -> leadsSince(replica, "orders")
                                                    .isPresent())
                                            .count()
                                    == 1
                            && all.stream().filter(this::follows).count() == 2);

            JavaProcess leader = all.stream()
                    .filter(replica -> leadsSince(replica, "orders").isPresent())
                    .findFirst()
                    .orElseThrow();
            leader.kill();
            Instant killed = Instant.now();

            List<JavaProcess> others =
                    all.stream().filter(replica -> replica != leader).toList();
            Instant led = await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> others.stream()
                                    .flatMap(replica -> leadsSince(replica, "orders").stream())
                                    .findFirst(),
                            Optional::isPresent)
                    .orElseThrow();
            assertThat(Duration.between(killed, led))
                    .as("fail-over")
                    .isBetween(Duration.ZERO, SESSION_TIMEOUT.plus(LEASE).plusSeconds(1));
        }
    }
}
