package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.ReportFile;
import io.github.leaderelection.zookeeper.fixture.SpreadingProcess;
import io.github.leaderelection.zookeeper.fixture.SpreadingProcess.Change;
import io.github.leaderelection.zookeeper.fixture.SpreadingProcess.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Elections that are spread over several processes, with the default session timeout and lease. By default these are few;
 * {@code -Dspread.processes=10 -Dspread.elections=500} makes them many.
 */
class SpreadProcessesIT extends ElectionTestSupport {

    private static final int PROCESSES = Integer.getInteger("spread.processes", 3);
    private static final int ELECTIONS = Integer.getInteger("spread.elections", 50);
    private static final Duration SETTLE = Duration.ofSeconds(3);
    private static final Duration ENOUGH = Duration.ofMinutes(2);

    private final List<SpreadingProcess> running = new ArrayList<>();
    private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
    private final ReportFile report = ReportFile.of("spread-processes.txt");
    private int started;

    @Test
    @DisplayName("Elections are even over several processes, after a restart of all of them and after a crash")
    void processesThatComeAndGo() {
        for (int i = 0; i < PROCESSES; i++) {
            start();
        }
        awaitEven("even after the start of all");

        long before = grants();
        for (int i = 0; i < PROCESSES; i++) {
            running.remove(0).stop();
            start();
            awaitAllLed();
        }
        awaitEven("even after a restart of all");
        double moves = (double) (grants() - before) / ELECTIONS;
        report.line("%.2f moves per election".formatted(moves));
        assertThat(moves).as("moves per election").isLessThanOrEqualTo(2.5);
        check("a restart of all");

        running.remove(0).kill();
        awaitEven("even after a crash");
    }

    private long grants() {
        return changes.stream().filter(change -> change.kind() == Kind.GRANTED).count();
    }

    private void start() {
        SpreadingProcess process =
                keep(SpreadingProcess.start("i" + started++, server.address(), ELECTIONS, SETTLE, changes::add));
        running.add(process);
        await("has joined").atMost(ENOUGH).until(process::joined);
    }

    private void awaitAllLed() {
        await("all are led").atMost(ENOUGH).until(() -> led() == ELECTIONS);
    }

    private void awaitEven(String what) {
        long start = System.nanoTime();
        await(what).atMost(ENOUGH).untilAsserted(() -> {
            assertThat(led()).isEqualTo(ELECTIONS);
            assertThat(running).extracting(SpreadingProcess::led).allMatch(this::isFair);
        });
        report.line("%d processes, %d elections: %s: %.1f s, %s"
                .formatted(
                        running.size(),
                        ELECTIONS,
                        what,
                        (System.nanoTime() - start) / 1e9,
                        running.stream().map(SpreadingProcess::led).toList()));
    }

    private int led() {
        return running.stream().mapToInt(SpreadingProcess::led).sum();
    }

    private boolean isFair(int led) {
        return led == ELECTIONS / running.size() || led == (ELECTIONS + running.size() - 1) / running.size();
    }

    /** The terms of an election, of all processes, follow each other; reports the times between them. */
    private void check(String what) {
        Set<String> lost = elections(Kind.LOST);
        Map<String, Change> last = new HashMap<>();
        List<Double> gaps = new ArrayList<>();
        changes.stream()
                .filter(change -> !lost.contains(change.election()))
                .sorted(Comparator.comparingLong(Change::nanos))
                .forEach(change -> {
                    Change before = last.put(change.election(), change);
                    boolean begins = change.kind() == Kind.GRANTED;
                    assertThat(begins)
                            .as("%s after %s", change, before)
                            .isEqualTo(before == null || before.kind() == Kind.REVOKED);
                    if (begins && before != null) {
                        gaps.add((change.nanos() - before.nanos()) / 1e6);
                    }
                });
        gaps.sort(Comparator.naturalOrder());
        report.line("until %s: without a leader %.1f ms (median), %.1f ms (p99), leaderships of %d elections lost"
                .formatted(what, gaps.get(gaps.size() / 2), gaps.get(gaps.size() * 99 / 100), lost.size()));
    }

    private Set<String> elections(Kind kind) {
        return changes.stream()
                .filter(change -> change.kind() == kind)
                .map(Change::election)
                .collect(Collectors.toSet());
    }
}
