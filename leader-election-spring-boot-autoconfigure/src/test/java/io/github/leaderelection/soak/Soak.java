package io.github.leaderelection.soak;

import static org.awaitility.Awaitility.await;

import io.github.leaderelection.zookeeper.fixture.TestEnsemble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** A run: starts the processes, lets the nemesis inject faults, waits for the recovery, and collects the history. */
final class Soak implements AutoCloseable {

    private static final Duration BOUND = Duration.ofSeconds(30);
    /** A partitioned server goes on answering for longer than a session. */
    private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(5);

    private final SoakSettings settings;
    private final SqlFence database;
    private final TestEnsemble ensemble;
    private final HealthMonitor health;
    private final ElectionAdministrator administrator;
    private final List<CandidateSlot> candidates = new ArrayList<>();

    private Soak(SoakSettings settings) throws IOException, SQLException {
        this.settings = settings;
        clear(settings.directory());
        database = new SqlFence();
        ensemble = TestEnsemble.noticingAfter(SYNC_TIMEOUT);
        health = new HealthMonitor(ensemble);
        administrator = new ElectionAdministrator(ensemble.address());
    }

    static History run(SoakSettings settings) throws IOException, SQLException {
        try (Soak soak = new Soak(settings)) {
            return soak.run();
        }
    }

    private static void clear(Path directory) throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private History run() throws SQLException {
        await("the ensemble is ready").atMost(BOUND).until(administrator::prepare);
        for (int i = 1; i <= SoakSettings.CANDIDATES; i++) {
            var slot = new CandidateSlot("c" + i, ensemble, settings, database.url(), settings.directory());
            candidates.add(slot);
            slot.start();
        }
        await("all take part").atMost(BOUND).until(() -> isComplete(administrator.queue()));
        // Measuring starts when a candidate leads.
        await("a candidate leads")
                .atMost(BOUND)
                .until(() -> !administrator.log().orElse(List.of()).isEmpty());
        await("all servers serve").atMost(BOUND).until(health::isHealthy);

        long from = System.nanoTime();
        List<Fault> faults = new Nemesis(ensemble, candidates, administrator, health).carryOut(settings.plan());
        FinalState finalState = awaitRecovery();
        List<String> log = answer(administrator::log);
        HistoryReader histories = HistoryReader.read(settings.directory());
        return new History(
                new TimeSpan(from, finalState.at()),
                histories.terms(),
                histories.events(),
                histories.attempts(),
                Map.of(FencedResource.ZOOKEEPER, ZooKeeperFence.accepted(log), FencedResource.SQL, database.accepted()),
                faults,
                health.unhealthy(),
                takeOvers(),
                finalState);
    }

    private int takeOvers() {
        return TransactionLogs.takeOvers(
                TestEnsemble.IDS.stream().map(ensemble::transactionLog).toList());
    }

    private boolean isComplete(Optional<List<ElectionAdministrator.CandidateNode>> queue) {
        return queue.isPresent()
                && queue.get().stream()
                        .map(ElectionAdministrator.CandidateNode::owner)
                        .sorted()
                        .toList()
                        .equals(ids());
    }

    private List<String> ids() {
        return candidates.stream().map(CandidateSlot::id).sorted().toList();
    }

    /** Waits for the recovery, but not forever: the checker reports what is missing. */
    private FinalState awaitRecovery() {
        if (!settings.naive()) {
            // A heartbeat that was deleted may be missing as long as its connection does not lead.
            awaitIfPossible(() -> health.isHealthy()
                    && isComplete(administrator.queue())
                    && administrator
                            .heartbeats()
                            .map(heartbeats -> heartbeats.size() <= candidates.size())
                            .orElse(false));
        }
        List<String> owners = answer(administrator::queue).stream()
                .map(ElectionAdministrator.CandidateNode::owner)
                .toList();
        int heartbeats = answer(administrator::heartbeats).size();
        Set<String> expected = new HashSet<>(ids());
        int before = answer(administrator::log).size();
        awaitIfPossible(() -> administrator.log().map(List::size).orElse(0) > before);
        long at = System.nanoTime();
        // The leader is sampled for some time after that.
        await().pollDelay(settings.lease()).until(() -> true);
        candidates.forEach(candidate -> candidate.send(SoakCandidate.LEAVE));
        candidates.forEach(CandidateSlot::awaitEnd);
        awaitIfPossible(() -> administrator.leftovers().map(List::isEmpty).orElse(false));
        return new FinalState(at, expected, owners, heartbeats, answer(administrator::leftovers));
    }

    private static void awaitIfPossible(Supplier<Boolean> condition) {
        try {
            await().atMost(BOUND).until(condition::get);
        } catch (ConditionTimeoutException late) {
            // The checker will report it.
        }
    }

    private static <T> T answer(Supplier<Optional<T>> question) {
        return await("ZooKeeper answers")
                .atMost(BOUND)
                .until(question::get, Optional::isPresent)
                .orElseThrow();
    }

    @Override
    public void close() throws SQLException {
        candidates.forEach(CandidateSlot::close);
        administrator.close();
        health.close();
        ensemble.close();
        database.close();
    }
}
