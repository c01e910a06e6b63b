package io.github.leaderelection.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.actuate.WebApplication;
import io.github.leaderelection.actuate.WebApplicationTestSupport;
import io.github.leaderelection.zookeeper.fixture.CountedSessions;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Scrapes of running applications with a real ZooKeeper. */
class PrometheusScrapeTests extends WebApplicationTestSupport {

    private static List<String> scrape(WebApplication application) {
        return application
                .get("/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith("election_"))
                .toList();
    }

    private static String line(WebApplication application, String series) {
        return scrape(application).stream()
                .filter(line -> line.startsWith(series + " "))
                .findFirst()
                .orElse(series + " is missing");
    }

    private static void awaitLine(WebApplication application, String line) {
        await().untilAsserted(() -> assertThat(scrape(application)).contains(line));
    }

    @Test
    void allMetersExistFromStartup() {
        WebApplication observer =
                start(List.of(JobsAndLoop.class), "leader-election.elections.orders.participate=false");
        List<String> expected = new ArrayList<>(List.of(
                "election_leader{election=\"orders\"} 0.0",
                "election_candidates{election=\"orders\"} 0.0",
                "election_connected{election=\"orders\"} 1.0",
                "election_lease_remaining_seconds{election=\"orders\"} 0.0",
                "election_transitions_total{election=\"orders\",reason=\"none\",type=\"granted\"} 0.0",
                "election_leadership_seconds_count{election=\"orders\"} 0",
                "election_leadership_seconds_sum{election=\"orders\"} 0.0",
                "election_leadership_seconds_max{election=\"orders\"} 0.0",
                "election_handover_seconds_count{election=\"orders\"} 0",
                "election_handover_seconds_sum{election=\"orders\"} 0.0",
                "election_handover_seconds_max{election=\"orders\"} 0.0",
                "election_invocations_total{election=\"orders\",outcome=\"executed\"} 0.0",
                "election_invocations_total{election=\"orders\",outcome=\"skipped\"} 0.0",
                "election_invocations_total{election=\"orders\",outcome=\"rejected\"} 0.0",
                "election_invocations_total{election=\"orders\",outcome=\"failed\"} 0.0",
                "election_drain_overruns_total{election=\"orders\"} 0.0",
                "election_takeovers_total{election=\"orders\"} 0.0",
                "election_led 0.0",
                "election_moves_total{cause=\"requested\",election=\"orders\"} 0.0",
                "election_moves_total{cause=\"priority\",election=\"orders\"} 0.0",
                "election_moves_total{cause=\"spread\",election=\"orders\"} 0.0",
                "election_errors_total{election=\"orders\",type=\"connection\"} 0.0",
                "election_errors_total{election=\"orders\",type=\"not-found\"} 0.0",
                "election_errors_total{election=\"orders\",type=\"other\"} 0.0",
                "election_work{election=\"orders\",name=\"Loop.run\"} 0.0",
                "election_work_overruns_total{election=\"orders\",name=\"Loop.run\"} 0.0"));
        for (RevocationReason reason : RevocationReason.values()) {
            expected.add("election_transitions_total{election=\"orders\",reason=\"%s\",type=\"revoked\"} 0.0"
                    .formatted(reason.name().toLowerCase(Locale.ROOT).replace('_', '-')));
        }
        assertThat(scrape(observer)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(observer.get("/prometheus").body().lines())
                .filteredOn(line -> line.startsWith("# HELP election_") && !line.contains("_max "))
                .hasSameSizeAs(MeterDefinition.values())
                .allMatch(line -> line.matches("# HELP \\S+ [A-Z].+"));
    }

    @Test
    void whatRunsForATermIsShown() {
        WebApplication leader = start(List.of(JobsAndLoop.class));
        awaitLine(leader, "election_work{election=\"orders\",name=\"Loop.run\"} 1.0");
    }

    @Test
    void gaugesAndCountersReflectElection() {
        WebApplication first = start(List.of(Jobs.class));
        awaitLine(first, "election_leader{election=\"orders\"} 1.0");
        WebApplication second = start(List.of(Jobs.class), "leader-election.candidate.id=instance-2");
        await().until(() -> second.election("orders").role() == Role.FOLLOWER);

        awaitLine(first, "election_candidates{election=\"orders\"} 2.0");
        awaitLine(second, "election_candidates{election=\"orders\"} 2.0");
        awaitLine(second, "election_leader{election=\"orders\"} 0.0");
        awaitLine(first, "election_leadership_seconds_count{election=\"orders\"} 1");
        assertThat(value(first, "election_lease_remaining_seconds{election=\"orders\"}"))
                .isGreaterThan(0)
                .isLessThanOrEqualTo(2);

        first.election("orders").stepDown();

        awaitLine(
                first, "election_transitions_total{election=\"orders\",reason=\"stepped-down\",type=\"revoked\"} 1.0");
        awaitLine(first, "election_leadership_seconds_count{election=\"orders\"} 0");
        awaitLine(second, "election_transitions_total{election=\"orders\",reason=\"none\",type=\"granted\"} 1.0");
        awaitLine(second, "election_handover_seconds_count{election=\"orders\"} 1");
        assertThat(value(second, "election_handover_seconds_sum{election=\"orders\"}"))
                .isPositive();
        assertThat(line(first, "election_handover_seconds_count{election=\"orders\"}"))
                .endsWith(" 0");
        assertThat(first.get("/prometheus").body()).doesNotContain("instance-1");
    }

    private static double value(WebApplication application, String series) {
        return Double.parseDouble(line(application, series).substring(series.length() + 1));
    }

    @Test
    void leaderOnlyCallsAreCountedByOutcomeAndTimed() {
        WebApplication application = start(List.of(Jobs.class), "leader-election.elections.orders.participate=false");
        Jobs.Job job = application.context().getBean(Jobs.Job.class);
        job.run(false);
        assertThatRejected(job);
        application.election("orders").nominate();
        await().until(() -> application.election("orders").isLeader());
        job.run(false);
        job.run(false);
        assertThatFailed(job);

        assertThat(scrape(application))
                .contains(
                        "election_invocations_total{election=\"orders\",outcome=\"skipped\"} 1.0",
                        "election_invocations_total{election=\"orders\",outcome=\"rejected\"} 1.0",
                        "election_invocations_total{election=\"orders\",outcome=\"executed\"} 2.0",
                        "election_invocations_total{election=\"orders\",outcome=\"failed\"} 1.0",
                        "election_invocation_seconds_count{class=\"Job\",election=\"orders\",error=\"none\",method=\"run\"} 2",
                        "election_invocation_seconds_count{class=\"Job\",election=\"orders\","
                                + "error=\"IllegalArgumentException\",method=\"run\"} 1");
    }

    private static void assertThatRejected(Jobs.Job job) {
        assertThatExceptionOfType(NotLeaderException.class).isThrownBy(job::insist);
    }

    private static void assertThatFailed(Jobs.Job job) {
        assertThatIllegalArgumentException().isThrownBy(() -> job.run(true));
    }

    @Test
    void drainOverrunsAreCounted() throws Exception {
        WebApplication application = start(List.of(Jobs.class), "leader-election.drain-timeout=100ms");
        await().until(() -> application.election("orders").isLeader());
        Jobs.Job job = application.context().getBean(Jobs.Job.class);
        Thread worker = new Thread(job::untilInterrupted);
        worker.start();
        assertThat(job.awaitBegin()).isTrue();
        application.election("orders").stepDown();
        worker.join(Duration.ofSeconds(20).toMillis());
        awaitLine(application, "election_drain_overruns_total{election=\"orders\"} 1.0");
    }

    @Test
    void neitherScrapingNorListingAccessesZooKeeper() {
        WebApplication application = start(
                List.of(Counted.class), "test.address=" + server.address(), "leader-election.recheck-interval=1h");
        await().until(() -> application.election("orders").isLeader());
        CountedSessions sessions = application.context().getBean(CountedSessions.class);
        application.get("/election/orders");
        assertThat(sessions.drainRequests()).isNotEmpty();

        for (int i = 0; i < 100; i++) {
            assertThat(application.get("/prometheus").body()).contains("election_leader{");
            assertThat(application.get("/election").status()).isEqualTo(200);
            assertThat(application.get("/health").status()).isEqualTo(200);
        }

        assertThat(sessions.drainRequests()).isEmpty();
        application.get("/election/orders");
        assertThat(sessions.drainRequests()).isNotEmpty();
    }

    @Test
    void metersOfElectionOpenedAtRunTimeAreRemovedOnClose() {
        WebApplication application = start(List.of(Jobs.class));
        Election shard = application.context().getBean(Elections.class).open("shard-7");
        assertThat(scrape(application)).anyMatch(line -> line.startsWith("election_leader{election=\"shard-7\"}"));
        shard.close();
        await().untilAsserted(() -> assertThat(scrape(application)).noneMatch(line -> line.contains("shard-7")));
        assertThat(scrape(application)).anyMatch(line -> line.startsWith("election_leader{election=\"orders\"}"));
    }

    @Test
    void metersShowLostConnection() {
        try (TestServer own = new TestServer()) {
            WebApplication application =
                    start(List.of(Jobs.class), "leader-election.zookeeper.connect-string=" + own.address());
            awaitLine(application, "election_leader{election=\"orders\"} 1.0");
            own.stop();
            awaitLine(application, "election_connected{election=\"orders\"} 0.0");
            awaitLine(application, "election_leader{election=\"orders\"} 0.0");
            awaitLine(application, "election_lease_remaining_seconds{election=\"orders\"} 0.0");
            awaitLine(
                    application,
                    "election_transitions_total{election=\"orders\",reason=\"connection-lost\",type=\"revoked\"} 1.0");
            own.start();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(scrape(application))
                            .contains(
                                    "election_connected{election=\"orders\"} 1.0",
                                    "election_leader{election=\"orders\"} 1.0"));
            application.close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Jobs {

        @Bean
        Job job() {
            return new Job();
        }

        static class Job {

            private final CountDownLatch begun = new CountDownLatch(1);

            boolean awaitBegin() throws InterruptedException {
                return begun.await(20, TimeUnit.SECONDS);
            }

            @LeaderOnly
            public void run(boolean failing) {
                if (failing) {
                    throw new IllegalArgumentException("as asked");
                }
            }

            @LeaderOnly(otherwise = LeaderOnly.Otherwise.THROW)
            public void insist() {}

            @LeaderOnly
            public void untilInterrupted() {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException overdue) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Counted {

        @Bean
        CountedSessions sessions(@Value("${test.address}") String address) {
            return new CountedSessions(address, 30_000);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Jobs.class, Loop.class})
    static class JobsAndLoop {}

    static class Loop {
        @WhileLeader("orders")
        void run() throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }
}
