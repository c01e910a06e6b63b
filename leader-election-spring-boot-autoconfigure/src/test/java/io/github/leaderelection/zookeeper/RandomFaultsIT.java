package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.fixture.ReportFile;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;

/**
 * Random faults for many candidates of one election, all that can be provoked inside one JVM: cut connections, black
 * holes, expired sessions, deleted nodes, resignations. {@code -Drandom.seed=…} repeats the choices of a run,
 * {@code -Drandom.seconds=…} makes it longer.
 */
class RandomFaultsIT extends ElectionTestSupport {

    private static final int CANDIDATES = 6;
    private static final Duration RECOVERY = Duration.ofSeconds(30);

    private final long seed = Long.getLong("random.seed", 20261116L);
    private final long seconds = Long.getLong("random.seconds", 30L);
    private final Random random = new Random(seed);

    @Test
    void noTwoCandidatesEverLeadAtTheSameTime() throws Exception {
        List<Participant> all = IntStream.range(0, CANDIDATES)
                .mapToObj(i -> participant("candidate-" + i)
                        .session(Duration.ofSeconds(2))
                        .options(options -> options.connectionTimeout(Duration.ofSeconds(5))
                                .drainTimeout(Duration.ofMillis(200))
                                .recheckInterval(Duration.ofSeconds(1)))
                        .nominate())
                .toList();
        long end = System.nanoTime() + seconds * 1_000_000_000;
        int faults = 0;
        while (System.nanoTime() < end && violations().isEmpty()) {
            disturb(all);
            faults++;
            LockSupport.parkNanos((20 + random.nextInt(300)) * 1_000_000L);
        }
        all.forEach(participant -> participant.proxy().open());

        assertThat(violations()).as("seed %d, after %d faults", seed, faults).isEmpty();
        await().atMost(RECOVERY)
                .until(() -> all.stream().filter(Participant::isLeader).count() == 1);
        await().atMost(RECOVERY).until(() -> admin.nodes().size() == CANDIDATES);
        assertThat(all).allSatisfy(participant -> assertAlternating(participant.events()));
        all.forEach(Participant::close);
        eventually().until(() -> admin.nodes().isEmpty());
        ReportFile.of("random-faults.txt").line("Seed %d: %d faults in %d s".formatted(seed, faults, seconds));
    }

    private void disturb(List<Participant> all) throws Exception {
        Participant any = all.get(random.nextInt(all.size()));
        Participant leader =
                all.stream().filter(Participant::isLeader).findFirst().orElse(any);
        Participant victim = random.nextBoolean() ? leader : any;
        switch (random.nextInt(8)) {
            case 0 -> victim.proxy().cutOnce();
            case 1 -> victim.proxy().cut();
            case 2 -> victim.proxy().blackHole();
            case 3, 4 -> all.forEach(participant -> participant.proxy().open());
            case 5 -> server.expire(victim.client());
            case 6 -> deleteSomeNode();
            default -> leave(victim);
        }
    }

    private void leave(Participant participant) {
        Election election = participant.election();
        if (random.nextBoolean() && election.isLeader()) {
            inBackground(() -> attempt(election::stepDown));
        } else {
            inBackground(() -> {
                attempt(election::withdraw);
                election.nominate();
            });
        }
    }

    private static void attempt(Runnable action) {
        try {
            action.run();
        } catch (ElectionException | IllegalStateException disturbed) {
            // Expected: the connection may be cut, and the term may be over.
        }
    }

    private void deleteSomeNode() throws KeeperException, InterruptedException {
        List<String> nodes = admin.nodes();
        if (!nodes.isEmpty()) {
            try {
                admin.client().delete(PATH + "/" + nodes.get(random.nextInt(nodes.size())), -1);
            } catch (KeeperException.NoNodeException gone) {
                // Its session has ended in the meantime.
            }
        }
    }

    private static void assertAlternating(List<String> events) {
        List<String> grantsAndRevocations = events.stream()
                .map(event -> event.split(" ")[0])
                .filter(event -> event.equals("granted") || event.equals("revoked"))
                .toList();
        for (int i = 0; i < grantsAndRevocations.size(); i++) {
            assertThat(grantsAndRevocations.get(i))
                    .as("event %d of %s", i, events)
                    .isEqualTo(i % 2 == 0 ? "granted" : "revoked");
        }
    }
}
