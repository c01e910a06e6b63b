package io.github.leaderelection.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/**
 * Many candidates of one election on a real server, and whatever can go wrong in one JVM, at random: cuts, black holes,
 * expiries, deleted nodes, resignations. {@code -Drandom.seed=…} repeats a run's choices, {@code -Drandom.seconds=…}
 * prolongs it.
 */
class RandomFaultsIT {

    private static final String PATH = "/elections/orders";
    private static final Duration SESSION = Duration.ofSeconds(2);
    private static final int CANDIDATES = 6;

    private final long seed = Long.getLong("random.seed", 20261116L);
    private final long seconds = Long.getLong("random.seconds", 30L);
    private final Random random = new Random(seed);
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicLong newestToken = new AtomicLong();
    private final AtomicLong grants = new AtomicLong();
    private volatile boolean running = true;

    /** One candidate with a link of its own. */
    private static final class Member implements AutoCloseable {
        final TcpProxy connection;
        final ZooKeeperElections elections;
        final Election election;
        final Recorder recorder = new Recorder();
        volatile ZooKeeper client;

        Member(int id, TestServer server) {
            connection = new TcpProxy(server.port());
            elections = ZooKeeperElections.over(
                    watcher -> client = new ZooKeeper(connection.address(), (int) SESSION.toMillis(), watcher),
                    ElectionOptions.defaults()
                            .candidate("m" + id, Map.of())
                            .connectionTimeout(Duration.ofSeconds(5))
                            .drainTimeout(Duration.ofMillis(200))
                            .recheckInterval(Duration.ofSeconds(1)));
            election = elections.election("orders", PATH);
            election.addListener(recorder);
            election.nominate();
        }

        @Override
        public void close() {
            connection.open();
            elections.close();
            connection.close();
        }
    }

    @Test
    void nobodyEverLeadsBesideAnother() throws Exception {
        System.out.printf("RandomFaultsIT: seed %d, %d s%n", seed, seconds);
        try (TestServer server = new TestServer()) {
            List<Member> members = new ArrayList<>();
            for (int i = 0; i < CANDIDATES; i++) {
                members.add(new Member(i, server));
            }
            Thread sampler = new Thread(() -> sample(members), "sampler");
            sampler.start();
            ZooKeeper admin = server.connect(Duration.ofSeconds(30));
            long end = System.nanoTime() + seconds * 1_000_000_000;
            int faults = 0;
            while (System.nanoTime() < end && violations.isEmpty()) {
                disturb(server, admin, members);
                faults++;
                pause(20 + random.nextInt(300));
            }
            members.forEach(member -> member.connection.open());

            await().atMost(30, SECONDS)
                    .until(() -> members.stream()
                                    .filter(member -> member.election.isLeader())
                                    .count()
                            == 1);
            await().atMost(30, SECONDS).until(() -> candidateNodes(admin) == CANDIDATES);
            running = false;
            sampler.join();

            System.out.printf("RandomFaultsIT: %d faults, %d samples with a leader%n", faults, grants.get());
            assertThat(violations).as("seed %d", seed).isEmpty();
            members.forEach(member ->
                    assertThat(strictlyAlternate(member.recorder.events())).isTrue());
            members.forEach(Member::close);
            await().atMost(20, SECONDS).until(() -> candidateNodes(admin) == 0);
            admin.close();
        }
    }

    private void disturb(TestServer server, ZooKeeper admin, List<Member> members) throws Exception {
        Member member = members.get(random.nextInt(members.size()));
        Member leader =
                members.stream().filter(m -> m.election.isLeader()).findFirst().orElse(member);
        Member victim = random.nextBoolean() ? leader : member;
        switch (random.nextInt(8)) {
            case 0 -> victim.connection.cutOnce();
            case 1 -> victim.connection.cut();
            case 2 -> victim.connection.blackHole();
            case 3, 4 -> members.forEach(m -> m.connection.open());
            case 5 -> {
                if (victim.client != null) {
                    server.expire(victim.client);
                }
            }
            case 6 -> deleteSomeNode(admin);
            default -> leave(victim);
        }
    }

    private void leave(Member member) {
        try {
            if (random.nextBoolean() && member.election.isLeader()) {
                new Thread(() -> ignoringTrouble(member.election::stepDown)).start();
            } else {
                Election election = member.election;
                new Thread(() -> {
                            ignoringTrouble(election::withdraw);
                            election.nominate();
                        })
                        .start();
            }
        } catch (IllegalStateException deposedMeanwhile) {
            // Just as good.
        }
    }

    private static void ignoringTrouble(Runnable action) {
        try {
            action.run();
        } catch (ElectionException | IllegalStateException trouble) {
            // There is plenty of it here.
        }
    }

    private void deleteSomeNode(ZooKeeper admin) throws Exception {
        try {
            List<String> nodes = admin.getChildren(PATH, false).stream()
                    .filter(name -> NodeName.parse(name).isPresent())
                    .toList();
            if (!nodes.isEmpty()) {
                admin.delete(PATH + "/" + nodes.get(random.nextInt(nodes.size())), -1);
            }
        } catch (KeeperException.NoNodeException gone) {
            // Somebody was faster.
        }
    }

    /** Sound: a term that is valid before and after another's was valid, was valid at the same time. */
    private void sample(List<Member> members) {
        while (running) {
            for (Member one : members) {
                long newest = newestToken.get();
                Optional<Leadership> term = one.election.leadership();
                if (term.isEmpty()) {
                    continue;
                }
                grants.incrementAndGet();
                if (term.get().fencingToken() < newest) {
                    violations.add("%s leads after token %d".formatted(term.get(), newest));
                }
                newestToken.accumulateAndGet(term.get().fencingToken(), Math::max);
                for (Member other : members) {
                    if (other != one && other.election.isLeader() && term.get().isValid()) {
                        violations.add("%s and %s lead at once".formatted(term.get(), other.election.status()));
                    }
                }
            }
            pause(0);
        }
    }

    private static boolean strictlyAlternate(List<String> events) {
        boolean leads = false;
        for (String event : events) {
            boolean granted = event.equals("granted");
            if (granted || event.startsWith("revoked")) {
                if (granted == leads) {
                    return false;
                }
                leads = granted;
            }
        }
        return true;
    }

    private static long candidateNodes(ZooKeeper admin) throws Exception {
        return admin.getChildren(PATH, false).stream()
                .filter(name -> NodeName.parse(name).isPresent())
                .count();
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(Math.max(50_000, millis * 1_000_000));
    }
}
