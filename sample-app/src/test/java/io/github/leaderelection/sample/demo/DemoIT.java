package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.sample.demo.Replica.State;
import io.github.leaderelection.sample.demo.Scene.Shown;
import io.github.leaderelection.sample.demo.Terms.Term;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;

/** What the demo does to its processes, and what becomes of them. */
class DemoIT {

    @Test
    void disturbancesMoveTheLeadershipAndTermsNeverOverlap() {
        try (DemoProcess demo = new DemoProcess().ready()) {
            allReplicasAgreeOnWhoLeads(demo);

            String paused = demo.leader("orders");
            demo.post("/demo/replicas/%s/pause".formatted(paused));
            awaitLeaderOtherThan(demo, paused);
            await().atMost(DemoProcess.PATIENCE)
                    .until(() -> demo.replica(paused).state() == State.UP);
            // It learns late that it has lost, and says so; which of the two it notices first is open.
            await().atMost(DemoProcess.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(lastTerm(demo, paused).end()).isIn("CONNECTION_LOST", "SESSION_EXPIRED"));

            String withdrawn = demo.leader("orders");
            demo.post("/demo/replicas/%s/withdraw".formatted(withdrawn));
            awaitLeaderOtherThan(demo, withdrawn);
            demo.post("/demo/replicas/%s/rejoin".formatted(withdrawn));
            awaitQueueOfThree(demo);

            String restarted = demo.leader("orders");
            Long pid = demo.replica(restarted).pid();
            restartByADoubleClick(demo, restarted);
            awaitLeaderOtherThan(demo, restarted);
            await().atMost(DemoProcess.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(lastTerm(demo, restarted).end()).isEqualTo("SHUTDOWN"));
            await().atMost(DemoProcess.PATIENCE)
                    .until(() -> !pid.equals(demo.replica(restarted).pid()));
            awaitQueueOfThree(demo);
            assertThat(demo.process().handle().children())
                    .as("No process that the demo has forgotten")
                    .hasSize(3);

            long terms = demo.picture().terms().size();
            demo.post("/demo/zookeeper/restart");
            await().atMost(DemoProcess.PATIENCE)
                    .until(() -> demo.picture().terms().size() >= terms + 3);
            awaitQueueOfThree(demo);
            assertThat(demo.picture().terms()).extracting(Term::end).contains("CONNECTION_LOST");

            assertThat(demo.picture().overlaps()).isZero();
            noneRemainsAfterTermination(demo);
        }
    }

    private static void allReplicasAgreeOnWhoLeads(DemoProcess demo) {
        RestClient http = RestClient.create();
        String leader = demo.leader("orders");
        for (Shown replica : demo.picture().replicas()) {
            JsonNode answer = http.get()
                    .uri(replica.url() + "/actuator/election/orders")
                    .retrieve()
                    .body(JsonNode.class);
            assertThat(answer.at("/leader/id").asString()).isEqualTo(leader);
        }
    }

    private static void restartByADoubleClick(DemoProcess demo, String replica) {
        String path = "/demo/replicas/%s/restart".formatted(replica);
        demo.post(path);
        try {
            demo.post(path);
        } catch (HttpClientErrorException.Conflict refused) {
            // Unless the first restart was over already, which no test can rule out.
            assertThat(refused).hasMessageContaining("is being restarted already");
        }
    }

    private static void awaitLeaderOtherThan(DemoProcess demo, String former) {
        await().atMost(DemoProcess.PATIENCE)
                .until(() -> demo.leader("orders"), leader -> !leader.isEmpty() && !leader.equals(former));
    }

    private static void awaitQueueOfThree(DemoProcess demo) {
        demo.ready();
    }

    private static Term lastTerm(DemoProcess demo, String replica) {
        return demo.picture().terms().stream()
                .filter(term ->
                        term.election().equals("orders") && term.replica().equals(replica))
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    private static void noneRemainsAfterTermination(DemoProcess demo) {
        List<ProcessHandle> replicas = demo.replicas();
        assertThat(replicas).hasSize(3);
        demo.process().terminate().orTimeout(60, TimeUnit.SECONDS).join();
        assertThat(replicas).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void noReplicaSurvivesTheDemoEvenIfThatIsKilledAndOneOfThemIsPaused() {
        try (DemoProcess demo = new DemoProcess().ready()) {
            List<ProcessHandle> replicas = demo.replicas();
            assertThat(replicas).hasSize(3).allMatch(ProcessHandle::isAlive);
            demo.post("/demo/replicas/shop-2/pause");
            demo.process().kill();
            await().atMost(Duration.ofSeconds(60)).until(() -> replicas.stream().noneMatch(ProcessHandle::isAlive));
        }
    }
}
