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

/** One run: sets the stage, lets the nemesis loose, waits for calm, and gathers what was seen. */
final class Soak implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** A server that was left behind answers for longer than a session lasts. */
    private static final Duration OBLIVION = Duration.ofSeconds(5);

    private final SoakSettings settings;
    private final SqlFence database;
    private final TestEnsemble ensemble;
    private final HealthMonitor health;
    private final Electorate electorate;
    private final List<CandidateSlot> candidates = new ArrayList<>();

    private Soak(SoakSettings settings) throws IOException, SQLException {
        this.settings = settings;
        empty(settings.directory());
        database = new SqlFence();
        ensemble = TestEnsemble.noticingAfter(OBLIVION);
        health = new HealthMonitor(ensemble);
        electorate = new Electorate(ensemble.address());
    }

    static History run(SoakSettings settings) throws IOException, SQLException {
        try (Soak soak = new Soak(settings)) {
            return soak.run();
        }
    }

    private static void empty(Path directory) throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private History run() throws SQLException {
        await("the ensemble is ready").atMost(PATIENCE).until(electorate::prepare);
        for (int i = 1; i <= SoakSettings.CANDIDATES; i++) {
            var slot = new CandidateSlot("c" + i, ensemble, settings, database.url(), settings.directory());
            candidates.add(slot);
            slot.start();
        }
        await("all take part").atMost(PATIENCE).until(() -> allAreIn(electorate.queue()));
        // The first of them is to lead before anything is measured.
        await("somebody leads")
                .atMost(PATIENCE)
                .until(() -> !electorate.log().orElse(List.of()).isEmpty());
        await("all servers serve").atMost(PATIENCE).until(health::isHealthy);

        long from = System.nanoTime();
        List<Fault> faults = new Nemesis(ensemble, candidates, electorate, health).carryOut(settings.plan());
        Ending ending = comeToRest();
        List<String> log = answer(electorate::log);
        HistoryReader accounts = HistoryReader.read(settings.directory());
        return new History(
                new Span(from, ending.at()),
                accounts.reigns(),
                accounts.told(),
                accounts.attempts(),
                Map.of(Resource.ZOOKEEPER, ZooKeeperFence.accepted(log), Resource.SQL, database.accepted()),
                faults,
                health.unhealthy(),
                ending);
    }

    private boolean allAreIn(Optional<List<Electorate.Seat>> queue) {
        return queue.isPresent()
                && queue.get().stream()
                        .map(Electorate.Seat::owner)
                        .sorted()
                        .toList()
                        .equals(ids());
    }

    private List<String> ids() {
        return candidates.stream().map(CandidateSlot::id).sorted().toList();
    }

    /** Waits until all is as it should be, but not for ever: the checker says what isn't. */
    private Ending comeToRest() {
        if (!settings.naive()) {
            patiently(() -> health.isHealthy()
                    && allAreIn(electorate.queue())
                    && electorate.beats().orElse(List.of()).size() == candidates.size());
        }
        List<String> owners =
                answer(electorate::queue).stream().map(Electorate.Seat::owner).toList();
        int beats = answer(electorate::beats).size();
        Set<String> expected = new HashSet<>(ids());
        int before = answer(electorate::log).size();
        patiently(() -> electorate.log().map(List::size).orElse(0) > before);
        long at = System.nanoTime();
        // Those who lead are to say so for some time.
        await().pollDelay(settings.lease()).until(() -> true);
        candidates.forEach(candidate -> candidate.tell(SoakCandidate.LEAVE));
        candidates.forEach(CandidateSlot::awaitEnd);
        patiently(() -> electorate.leftovers().map(List::isEmpty).orElse(false));
        return new Ending(at, expected, owners, beats, answer(electorate::leftovers));
    }

    private static void patiently(Supplier<Boolean> condition) {
        try {
            await().atMost(PATIENCE).until(condition::get);
        } catch (ConditionTimeoutException late) {
            // What isn't so is told by what is noted next.
        }
    }

    private static <T> T answer(Supplier<Optional<T>> question) {
        return await("ZooKeeper answers")
                .atMost(PATIENCE)
                .until(question::get, Optional::isPresent)
                .orElseThrow();
    }

    @Override
    public void close() throws SQLException {
        candidates.forEach(CandidateSlot::close);
        electorate.close();
        health.close();
        ensemble.close();
        database.close();
    }
}
