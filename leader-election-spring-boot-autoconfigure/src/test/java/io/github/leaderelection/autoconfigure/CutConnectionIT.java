package io.github.leaderelection.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.zookeeper.fixture.RecordedLog;
import io.github.leaderelection.zookeeper.fixture.ReportFile;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * F88: the connection of the leader is cut, again and again, while its job runs. More rounds: {@code -Dcut.rounds=20}; the
 * figures are in {@code target/test-measurements/cut-connection.txt}.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CutConnectionIT {

    private static final int ROUNDS = Integer.getInteger("cut.rounds", 4);
    private static final Pattern END = Pattern.compile("no longer leads: .+ until (\\S+Z)");
    private static final Duration BOUND = Duration.ofSeconds(60);
    /** How long a job takes to end after it was interrupted. */
    private static final Duration REACTION = Duration.ofMillis(500);
    /** How late an interrupt may come, except on a machine that is too busy to tell. */
    private static final Duration PROMPT = Duration.ofMillis(100);

    /** One run of the job, in nanoseconds. */
    private record Run(int instance, long began, @Nullable Instant interruptedAt, long ended) {}

    private final List<Run> runs = new CopyOnWriteArrayList<>();
    private final List<Candidate> candidates = new ArrayList<>();
    private final RecordedLog log = new RecordedLog();
    private volatile boolean over;

    @Test
    @Tag("F88")
    void aCutOffLeadersJobEndsBeforeThatOfTheNextLeaderBegins() throws Exception {
        List<Duration> delays = new ArrayList<>();
        try (TestServer server = new TestServer()) {
            for (int i = 0; i < 2; i++) {
                candidates.add(new Candidate(i, server));
            }
            // Not before: starting an application configures the log afresh.
            log.beforeEach(null);
            for (int round = 0; round < ROUNDS; round++) {
                delays.add(cutOffTheLeader(round));
            }
            log.afterEach(null);
            over = true;
            for (Candidate candidate : candidates) {
                candidate.close();
            }
        }
        assertThat(overlaps()).as("gaps below zero are overlaps").isEmpty();
        List<Duration> sorted = delays.stream().sorted().toList();
        Duration median = sorted.get(sorted.size() / 2);
        ReportFile.of("cut-connection.txt")
                .line("%d rounds: interrupted after a median of %d ms, at most %d ms; shortest gap between jobs %d ms"
                        .formatted(
                                ROUNDS,
                                median.toMillis(),
                                sorted.get(sorted.size() - 1).toMillis(),
                                gaps().stream()
                                        .mapToLong(Duration::toMillis)
                                        .min()
                                        .orElse(0)));
        assertThat(median)
                .as("from the end of leadership to the interrupt: %s", sorted)
                .isLessThan(PROMPT);
    }

    /** Returns how long after the end of leadership the job was interrupted. */
    private Duration cutOffTheLeader(int round) {
        Candidate leader = await().atMost(BOUND)
                .until(
                        () -> candidates.stream()
                                .filter(each -> each.job.isRunning())
                                .findFirst(),
                        found -> found.isPresent())
                .orElseThrow();
        Candidate heir = candidates.get(1 - leader.number);
        // The heir has to see heartbeats, or it would have to wait for the end of the session.
        await().atMost(BOUND).until(() -> heir.election().role() == Role.FOLLOWER && heir.isHeir());
        int before = runs.size();
        if (round % 2 == 0) {
            leader.proxy.cut();
        } else {
            leader.proxy.blackHole();
        }
        await().atMost(BOUND).until(() -> heir.job.isRunning());
        leader.proxy.open();
        assertThat(runs).hasSize(before + 1);
        Run last = runs.get(before);
        assertThat(last.interruptedAt()).as("interrupted").isNotNull();
        return Duration.between(endOfLeadership(before), last.interruptedAt());
    }

    /**
     * When the lease, less its grace, was over. From the log: a thread that asks {@code isLeader()} all the time would be the
     * one that ends the term.
     */
    private Instant endOfLeadership(int round) {
        return await().atMost(BOUND)
                .until(
                        () -> log.lines().stream()
                                .map(END::matcher)
                                .filter(Matcher::find)
                                .map(end -> Instant.parse(end.group(1)))
                                .toList(),
                        ends -> ends.size() > round)
                .get(round);
    }

    private List<Duration> gaps() {
        List<Duration> gaps = new ArrayList<>();
        for (int i = 1; i < runs.size(); i++) {
            gaps.add(Duration.ofNanos(runs.get(i).began() - runs.get(i - 1).ended()));
        }
        return gaps;
    }

    private List<Duration> overlaps() {
        return gaps().stream().filter(Duration::isNegative).toList();
    }

    /** An instance whose job is called all the time, and whose leadership is observed. */
    private final class Candidate {

        private final int number;
        private final TcpProxy proxy;
        private final Instances instances;
        private final ConfigurableApplicationContext context;
        private final Job job;

        Candidate(int number, TestServer server) {
            this.number = number;
            this.proxy = new TcpProxy(server.port());
            this.instances = new Instances(
                            "leader-election.zookeeper.connect-string=" + proxy.address(),
                            "leader-election.zookeeper.session-timeout=10s",
                            "leader-election.drain-timeout=1s",
                            "leader-election.elections.orders=")
                    .with(Job.class);
            this.context = instances.start("leader-election.candidate.id=instance-" + number);
            this.job = context.getBean(Job.class);
            job.number(number, runs);
            start(() -> job.run(), Duration.ofMillis(1));
        }

        private void start(Runnable task, Duration pause) {
            Thread thread = new Thread(() -> {
                while (!over) {
                    task.run();
                    LockSupport.parkNanos(pause.toNanos());
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        Election election() {
            return Instances.election(context, "orders");
        }

        boolean isHeir() {
            return ManagedElection.of(election())
                    .electorate()
                    .thenApply(electorate -> electorate.heir().isPresent())
                    .join();
        }

        void close() {
            instances.close();
            proxy.close();
        }
    }

    static class Job {

        private volatile boolean running;
        private int number;
        private List<Run> runs;

        // Not the fields: this object has a proxy.

        public boolean isRunning() {
            return running;
        }

        public void number(int number, List<Run> runs) {
            this.number = number;
            this.runs = runs;
        }

        @LeaderOnly("orders")
        public void run() {
            long began = System.nanoTime();
            running = true;
            Instant interruptedAt = null;
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException lost) {
                interruptedAt = Instant.now();
                long interrupted = System.nanoTime();
                while (System.nanoTime() - interrupted < REACTION.toNanos()) {
                    LockSupport.parkNanos(1_000_000);
                }
            } finally {
                running = false;
                runs.add(new Run(number, began, interruptedAt, System.nanoTime()));
            }
        }
    }
}
