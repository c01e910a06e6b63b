package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Role;
import io.github.leaderelection.sample.demo.DemoSnapshot.ReplicaView;
import io.github.leaderelection.sample.demo.Replica.State;
import io.github.leaderelection.sample.demo.TermTracker.Term;
import io.github.leaderelection.sample.shop.ShopStatus.ElectionInfo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;

/** The demo with real processes: faults and shutdown. */
class DemoApplicationIT {

    @Test
    void threeReplicasLeadOneElectionEachAndAnElectionCanBeMoved() {
        // The lease is long, because an election whose leader loses it on a slow machine moves, too.
        try (DemoProcess demo = new DemoProcess("--demo.session-timeout=15s").awaitReady()) {
            await().atMost(DemoProcess.TIMEOUT)
                    .untilAsserted(() -> assertThat(demo.snapshot().replicas())
                            .hasSize(3)
                            .allSatisfy(replica -> assertThat(replica.elections())
                                    .extracting(ElectionInfo::role)
                                    .containsExactlyInAnyOrder(Role.LEADER, Role.FOLLOWER, Role.FOLLOWER)));
            await().atMost(DemoProcess.TIMEOUT)
                    .untilAsserted(() -> assertThat(demo.snapshot().terms())
                            .filteredOn(term -> term.end().equals("HANDED_OVER"))
                            .isNotEmpty()
                            .allMatch(term -> term.cause().equals("to spread the elections")));
            assertThat(demo.snapshot().events()).extracting(History.Event::type).contains("MOVED");

            String former = demo.leader("orders");
            String next = demo.leader("billing");
            demo.post("/demo/elections/orders/hand-over/" + next);
            await().atMost(DemoProcess.TIMEOUT).until(() -> demo.leader("orders"), next::equals);
            assertThat(endsOfTerms(demo, former)).endsWith("HANDED_OVER");
            assertThatThrownBy(() -> demo.post("/demo/elections/orders/hand-over/" + next))
                    .isInstanceOf(HttpClientErrorException.Conflict.class)
                    .hasMessageContaining("'%s' already leads election 'orders'", next);

            // The requested term stays, so the other election of that replica moves to the one that is left with none.
            demo.awaitReady();
            assertThat(demo.leader("orders")).isEqualTo(next);
            assertThat(demo.leader("billing")).isEqualTo(former);
            assertThat(demo.snapshot().overlaps()).isZero();
        }
    }

    @Test
    void faultsMoveLeadershipAndTermsNeverOverlap() {
        try (DemoProcess demo = new DemoProcess().awaitReady()) {
            assertAllReplicasReportTheSameLeader(demo);

            String paused = demo.leader("orders");
            demo.post("/demo/replicas/%s/pause".formatted(paused));
            awaitLeaderOtherThan(demo, paused);
            await().atMost(DemoProcess.TIMEOUT).until(() -> demo.replica(paused).state() == State.UP);
            // After the pause it reports the revocation late, with the cause that it notices first.
            await().atMost(DemoProcess.TIMEOUT)
                    .untilAsserted(() -> assertThat(endsOfTerms(demo, paused))
                            .containsAnyOf("CONNECTION_LOST", "LEASE_EXPIRED", "SESSION_EXPIRED"));
            demo.awaitReady();

            String withdrawn = demo.leader("orders");
            demo.post("/demo/replicas/%s/withdraw".formatted(withdrawn));
            awaitLeaderOtherThan(demo, withdrawn);
            demo.post("/demo/replicas/%s/rejoin".formatted(withdrawn));
            demo.awaitReady();

            String restarted = demo.leader("orders");
            Long pid = demo.replica(restarted).pid();
            restartTwice(demo, restarted);
            awaitLeaderOtherThan(demo, restarted);
            await().atMost(DemoProcess.TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(endsOfTerms(demo, restarted)).contains("SHUTDOWN"));
            await().atMost(DemoProcess.TIMEOUT)
                    .until(() -> !pid.equals(demo.replica(restarted).pid()));
            demo.awaitReady();
            assertThat(demo.children()).as("child processes of the demo").hasSize(3);

            long terms = demo.snapshot().terms().size();
            demo.post("/demo/zookeeper/restart");
            await().atMost(DemoProcess.TIMEOUT)
                    .until(() -> demo.snapshot().terms().size() >= terms + 3);
            demo.awaitReady();
            assertThat(demo.snapshot().terms()).extracting(Term::end).contains("CONNECTION_LOST");

            assertThat(demo.snapshot().overlaps()).isZero();
            assertNoReplicaSurvivesTermination(demo);
        }
    }

    private static void assertAllReplicasReportTheSameLeader(DemoProcess demo) {
        RestClient http = RestClient.create();
        String leader = demo.leader("orders");
        for (ReplicaView replica : demo.snapshot().replicas()) {
            JsonNode response = http.get()
                    .uri(replica.url() + "/actuator/election/orders")
                    .retrieve()
                    .body(JsonNode.class);
            assertThat(response.at("/leader/id").asString()).isEqualTo(leader);
        }
    }

    private static void restartTwice(DemoProcess demo, String replica) {
        String path = "/demo/replicas/%s/restart".formatted(replica);
        demo.post(path);
        try {
            demo.post(path);
        } catch (HttpClientErrorException.Conflict refused) {
            // There is no conflict if the first restart has already completed.
            assertThat(refused).hasMessageContaining("is already being restarted");
        }
    }

    private static void awaitLeaderOtherThan(DemoProcess demo, String former) {
        await().atMost(DemoProcess.TIMEOUT)
                .until(() -> demo.leader("orders"), leader -> !leader.isEmpty() && !leader.equals(former));
    }

    /** Returns how the terms of a replica in the election {@code orders} ended; empty for one that has not ended. */
    private static List<String> endsOfTerms(DemoProcess demo, String replica) {
        return demo.snapshot().terms().stream()
                .filter(term ->
                        term.election().equals("orders") && term.replica().equals(replica))
                .map(Term::end)
                .toList();
    }

    private static void assertNoReplicaSurvivesTermination(DemoProcess demo) {
        List<ProcessHandle> replicas = demo.replicaProcesses();
        assertThat(replicas).hasSize(3);
        demo.terminate().orTimeout(60, TimeUnit.SECONDS).join();
        assertThat(replicas).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void whenTheDemoIsKilledNoReplicaSurvivesNotEvenAPausedOne() {
        try (DemoProcess demo = new DemoProcess().awaitReady()) {
            List<ProcessHandle> replicas = demo.replicaProcesses();
            assertThat(replicas).hasSize(3).allMatch(ProcessHandle::isAlive);
            demo.post("/demo/replicas/shop-2/pause");
            demo.kill();
            await().atMost(Duration.ofSeconds(60)).until(() -> replicas.stream().noneMatch(ProcessHandle::isAlive));
        }
    }
}
