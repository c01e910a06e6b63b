package io.github.leaderelection.autoconfigure;

import static io.github.leaderelection.autoconfigure.Instances.election;
import static io.github.leaderelection.autoconfigure.Instances.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.event.OnGrantedEvent;
import io.github.leaderelection.zookeeper.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** A leader-only job runs in one instance at a time, whoever comes and goes. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConcurrentInstancesTests {

    private static final int INSTANCES = 3;

    /** What all instances share, as they would a database. */
    private static final class Section {

        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger overlaps = new AtomicInteger();
        private final AtomicInteger visits = new AtomicInteger();

        void visit() {
            if (inside.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            visits.incrementAndGet();
            Thread.yield();
            inside.decrementAndGet();
        }
    }

    private static Section section;

    @Test
    void closingTheLeaderGivesANewOneAndNoTwoOfThemWorkAtTheSameTime() {
        section = new Section();
        List<Long> handOvers = new ArrayList<>();
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
                long closed = System.nanoTime();
                leader.close();
                assertThat(events.events()).endsWith("orders revoked 1 " + RevocationReason.SHUTDOWN);
                ConfigurableApplicationContext next = awaitLeaderAtWork(instances);
                handOvers.add(
                        TimeUnit.NANOSECONDS.toMillis(next.getBean(Job.class).granted() - closed));
            }
        }
        System.out.printf(
                "From the close of a leader's context to the next one's granted event: %s ms; %d visits%n",
                handOvers, section.visits.get());
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
        private volatile long granted;

        long granted() {
            return granted;
        }

        int runs() {
            return runs.get();
        }

        @EventListener
        void on(OnGrantedEvent event) {
            granted = System.nanoTime();
        }

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.MILLISECONDS)
        @LeaderOnly("orders")
        void run() {
            section.visit();
            runs.incrementAndGet();
        }
    }
}
