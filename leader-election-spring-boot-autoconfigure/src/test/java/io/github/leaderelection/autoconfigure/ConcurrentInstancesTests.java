package io.github.leaderelection.autoconfigure;

import static io.github.leaderelection.autoconfigure.Instances.election;
import static io.github.leaderelection.autoconfigure.Instances.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** A leader-only job runs on one instance at a time, while instances start and stop. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConcurrentInstancesTests {

    private static final int INSTANCES = 3;

    /** A resource that all instances share, such as a database. */
    private static final class Section {

        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger overlaps = new AtomicInteger();

        void visit() {
            if (inside.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            Thread.yield();
            inside.decrementAndGet();
        }
    }

    private static Section section;

    @Test
    void leaderOnlyJobNeverRunsOnTwoInstancesAtOnce() {
        section = new Section();
        try (TestServer server = new TestServer();
                Instances instances = new Instances(
                                "leader-election.zookeeper.connect-string=" + server.address(),
                                "leader-election.elections.orders=")
                        .with(Job.class)) {
            for (int i = 0; i < INSTANCES; i++) {
                instances.start();
            }
            for (int i = 0; i < INSTANCES; i++) {
                ConfigurableApplicationContext leader = awaitLeaderAtWork(instances);
                instances.start();
                Instances.EventLog events = log(leader);
                leader.close();
                assertThat(events.events()).endsWith("orders revoked 1 " + RevocationReason.SHUTDOWN);
                awaitLeaderAtWork(instances);
            }
        }
        assertThat(section.overlaps).hasValue(0);
        assertThat(section.inside).hasValue(0);
    }

    private static ConfigurableApplicationContext awaitLeaderAtWork(Instances instances) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> instances.leaders("orders").size() == 1);
        ConfigurableApplicationContext leader = instances.leaders("orders").get(0);
        Job job = leader.getBean(Job.class);
        await().atMost(Duration.ofSeconds(30)).until(() -> job.runs() > 10);
        assertThat(election(leader, "orders").isLeader()).isTrue();
        return leader;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Job {

        private final AtomicInteger runs = new AtomicInteger();

        int runs() {
            return runs.get();
        }

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.MILLISECONDS)
        @LeaderOnly("orders")
        void run() {
            section.visit();
            runs.incrementAndGet();
        }
    }
}
