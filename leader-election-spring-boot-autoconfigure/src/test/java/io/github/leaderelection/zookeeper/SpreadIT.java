package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.ReportFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Many elections that are spread over several connections, with the default session timeout and lease. */
class SpreadIT extends ElectionTestSupport {

    private static final Duration DEFAULT_SESSION = Duration.ofSeconds(10);
    /** How long nothing may move; {@code -Dspread.quiet=60} makes it a minute. */
    private static final Duration QUIET = Duration.ofSeconds(Long.getLong("spread.quiet", 5));

    /** Since when an election has had no leader. */
    private final Map<String, Long> vacant = new ConcurrentHashMap<>();

    private final List<Double> gaps = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> changes = new ConcurrentHashMap<>();

    private final class Instance implements ElectionListener {
        private final ZooKeeperElections elections;
        private final List<Election> opened = new ArrayList<>();

        Instance(int number, int count, Duration settle) {
            elections = over(
                    client(DEFAULT_SESSION),
                    ElectionOptions.defaults()
                            .candidate("instance-" + number, Map.of())
                            .spread(settle, 4));
            for (int i = 0; i < count; i++) {
                Election election = elections.election("e" + i, "/elections/e" + i);
                election.addListener(this);
                election.nominate();
                opened.add(election);
            }
        }

        @Override
        public void granted(Leadership term) {
            changes.merge(term.election(), 1, Integer::sum);
            Long since = vacant.remove(term.election());
            if (since != null) {
                gaps.add((System.nanoTime() - since) / 1e6);
            }
        }

        @Override
        public void revoked(Leadership term, RevocationReason reason) {
            vacant.put(term.election(), System.nanoTime());
        }

        boolean joined() {
            return opened.stream().noneMatch(election -> election.role() == Role.CANDIDATE);
        }

        long led() {
            return opened.stream().filter(Election::isLeader).count();
        }
    }

    private static List<Long> led(List<Instance> instances) {
        return instances.stream().map(Instance::led).toList();
    }

    @Test
    @DisplayName("A thousand elections that one of ten connections leads are even within a minute")
    void aThousandElections() throws Exception {
        int count = 1_000;
        Duration settle = Duration.ofSeconds(5);
        List<Instance> instances = new ArrayList<>();
        instances.add(new Instance(0, count, settle));
        await().atMost(BOUND).until(() -> instances.get(0).led() == count);
        IntStream.range(1, 10).forEach(i -> instances.add(new Instance(i, count, settle)));
        await().atMost(Duration.ofSeconds(60)).until(() -> instances.stream().allMatch(Instance::joined));

        // Only the moves count, not what the joining of all candidates may have interrupted.
        gaps.clear();
        long packets = server.server().serverStats().getPacketsReceived();
        long start = System.nanoTime();
        await("all are even")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(led(instances)).allMatch(led -> Math.abs(led - 100) <= 1));

        double seconds = (System.nanoTime() - start) / 1e9;
        packets = server.server().serverStats().getPacketsReceived() - packets;
        List<Double> sorted = gaps.stream().sorted().toList();
        ReportFile.of("spread.txt")
                .line(
                        "1,000 elections, 10 connections: even after %.1f s, %d moves, %.1f packets each, without a leader %.1f ms (median), %.1f ms (p99); bare hand-over %.1f ms (median)"
                                .formatted(
                                        seconds,
                                        sorted.size(),
                                        (double) packets / sorted.size(),
                                        median(sorted),
                                        sorted.get(sorted.size() * 99 / 100),
                                        bareHandOver()));
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /**
     * To compare with, as it depends on the machine and its load: the time from the request that deletes a node until a client
     * that watches it has read another one.
     */
    private double bareHandOver() throws Exception {
        ZooKeeper leader = client(DEFAULT_SESSION);
        ZooKeeper next = client(DEFAULT_SESSION);
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            leader.create("/bare", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            var read = new CompletableFuture<Long>();
            next.getData(
                    "/bare",
                    gone -> next.getData(
                            "/", false, (rc, path, c, data, stat) -> read.complete(System.nanoTime()), null),
                    null);
            long begin = System.nanoTime();
            leader.delete("/bare", -1);
            times.add((read.get(BOUND.toSeconds(), TimeUnit.SECONDS) - begin) / 1e6);
        }
        return median(times);
    }

    @Test
    @DisplayName("Thirty elections are even soon after each change of three instances, and then nothing moves")
    void joinsAndLeaves() {
        int count = 30;
        Duration settle = Duration.ofSeconds(5);
        List<Instance> instances = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            instances.add(new Instance(i, count, settle));
            await().atMost(BOUND).until(instances.get(i)::joined);
        }
        String joined = timed(() -> awaitLed(10L, instances));
        instances.remove(1).elections.close();
        String left = timed(() -> awaitLed(15L, instances));
        instances.add(new Instance(3, count, settle));
        String back = timed(() -> awaitLed(10L, instances));
        int before = changes();
        await().during(QUIET).atMost(QUIET.plus(BOUND)).until(() -> changes() == before);

        ReportFile.of("spread.txt")
                .line(
                        "30 elections, 3 instances, settle 5 s: even after %s; one left: %s; it is back: %s; then silent for %s"
                                .formatted(joined, left, back, QUIET));
    }

    private static String timed(Runnable wait) {
        long start = System.nanoTime();
        wait.run();
        return "%.1f s".formatted((System.nanoTime() - start) / 1e9);
    }

    private int changes() {
        return changes.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    @DisplayName("A rolling restart of three instances moves an election two and a half times at most, on average")
    void aRollingRestart() {
        int count = 30;
        Duration settle = Duration.ofSeconds(3);
        List<Instance> instances = new ArrayList<>();
        IntStream.range(0, 3).forEach(i -> instances.add(new Instance(i, count, settle)));
        awaitLed(10L, instances);
        changes.clear();
        gaps.clear();

        for (int i = 0; i < 3; i++) {
            instances.remove(0).elections.close();
            instances.add(new Instance(3 + i, count, settle));
            await().atMost(BOUND)
                    .until(() ->
                            led(instances).stream().mapToLong(Long::longValue).sum() == count);
        }
        awaitLed(10L, instances);

        int moves = changes();
        ReportFile.of("spread.txt")
                .line(
                        "Rolling restart of 3 instances, %d elections: %.2f moves per election, without a leader %.1f ms (median)"
                                .formatted(count, (double) moves / count, median(gaps)));
        assertThat(moves).isLessThanOrEqualTo(count * 5 / 2);
    }

    private static void awaitLed(long each, List<Instance> instances) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(led(instances)).containsOnly(each));
    }
}
