package io.github.leaderelection.zookeeper;

import static io.github.leaderelection.zookeeper.fixture.TestEnsemble.SLOW_TO_NOTICE;
import static io.github.leaderelection.zookeeper.fixture.TestEnsemble.SYNC_TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.CandidateProcess;
import io.github.leaderelection.zookeeper.fixture.ChildProcess;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.fixture.TestEnsemble;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import io.github.leaderelection.zookeeper.fixture.Timeline;
import io.github.leaderelection.zookeeper.znode.CandidateData;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Elections on three ZooKeeper servers that are partitioned, paused, killed and restarted. All waits are bounded by what
 * the protocol promises plus {@link #NOISE}; that nobody led at the same time as another is measured, see
 * {@link Timeline}.
 */
class EnsembleIT {

    private static final Duration SESSION = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofSeconds(1);
    /** Of clients that have to survive whatever the test does. */
    private static final Duration LONG = Duration.ofSeconds(50);

    private static final Duration NOISE = Duration.ofSeconds(10);
    private static final String ROOT = "/elections";
    private static final String PATH = ROOT + "/orders";

    private final Timeline timeline = new Timeline();
    private final Map<String, Election> asked = new ConcurrentHashMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestEnsemble ensemble;

    /** A candidate in this process. */
    private final class Contender implements AutoCloseable {
        private final String id;
        private final List<Connected> connects = new CopyOnWriteArrayList<>();
        private final ZooKeeperElections elections;
        private final Election election;
        private volatile ZooKeeper client;

        private record Connected(long nanos, long session) {}

        Contender(String id, String address, Duration session, Duration lease) {
            this.id = id;
            ElectionOptions options = ElectionOptions.defaults()
                    .candidate(id, Map.of())
                    .lease(lease)
                    .failFast(false)
                    .drainTimeout(Duration.ofSeconds(1))
                    .connectionTimeout(Duration.ofSeconds(2));
            elections = ZooKeeperElections.over(
                    watcher -> {
                        var opened = new CompletableFuture<ZooKeeper>();
                        client = new ZooKeeper(address, (int) session.toMillis(), event -> {
                            note(event, opened);
                            watcher.process(event);
                        });
                        opened.complete(client);
                        return client;
                    },
                    options);
            election = elections.election("orders", PATH);
            election.nominate();
            asked.put(id, election);
            opened.add(this);
        }

        /** @param opened the client; it may be connected before its constructor has returned */
        private void note(WatchedEvent event, CompletableFuture<ZooKeeper> opened) {
            if (event.getState() == KeeperState.SyncConnected && event.getPath() == null) {
                connects.add(new Connected(System.nanoTime(), opened.join().getSessionId()));
            }
        }

        Contender awaitLeading(Duration patience) {
            await(id + " leads").atMost(patience).until(election::isLeader);
            return this;
        }

        Contender awaitFollowing() {
            await(id + " follows").atMost(NOISE.plus(SESSION)).until(() -> election.role() == Role.FOLLOWER);
            return this;
        }

        @Override
        public void close() {
            elections.close();
        }
    }

    private Contender join(String id, String address) {
        return new Contender(id, address, SESSION, LEASE);
    }

    private ZooKeeper connect(String address) {
        ZooKeeper client = TestServer.connect(address, LONG);
        opened.add(() -> client.close(500));
        return client;
    }

    private void measure() {
        timeline.ask(new LinkedHashMap<>(asked));
    }

    @AfterEach
    void close() {
        timeline.close();
        if (ensemble == null) {
            return;
        }
        ensemble.heal();
        CompletableFuture.allOf(opened.stream()
                        .map(it -> CompletableFuture.runAsync(() -> closeQuietly(it)))
                        .toArray(CompletableFuture[]::new))
                .join();
        ensemble.close();
    }

    private static void closeQuietly(AutoCloseable it) {
        try {
            it.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    // a server that was left behind

    @Test
    @Tag("F13")
    @DisplayName(
            "F13: a leader on a deposed ZooKeeper leader stops before another begins, though that server still shows"
                    + " its node")
    void aLeaderOnADeposedServerStopsBeforeAnotherBegins() {
        ensemble = TestEnsemble.ledBySlowToNotice();
        Contender a = join("a", ensemble.address(SLOW_TO_NOTICE)).awaitLeading(NOISE);

        leaveBehind(a);

        assertThat(ensemble.leads(SLOW_TO_NOTICE)).isTrue();
    }

    @Test
    @Tag("F14")
    @DisplayName(
            "F14: a leader on a partitioned ZooKeeper follower stops before another begins, though that server still"
                    + " shows its node")
    void aLeaderOnAPartitionedServerStopsBeforeAnotherBegins() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        Contender a = join("a", ensemble.address(SLOW_TO_NOTICE)).awaitLeading(NOISE);

        leaveBehind(a);

        ensemble.heal();
        a.awaitFollowing();
        asked.get("b").stepDown();
        a.awaitLeading(LEASE.plus(NOISE));
        assertThat(timeline.overlaps()).isEmpty();
    }

    /** Partitions the server that the candidate is connected to; returns when the others have deleted its node. */
    private long leaveBehind(Contender a) {
        List<Integer> majority = TestEnsemble.others(SLOW_TO_NOTICE);
        Contender b = join("b", ensemble.address(majority)).awaitFollowing();
        ZooKeeper admin = connect(ensemble.address(majority));
        ZooKeeper witness = connect(ensemble.address(SLOW_TO_NOTICE));
        String node = nodeOf("a", admin);
        measure();
        await().atMost(NOISE).until(() -> timeline.leads("a"));

        long cut = System.nanoTime();
        ensemble.isolate(SLOW_TO_NOTICE);
        long isolated = System.nanoTime();

        await("the quorum deletes the node")
                .atMost(SYNC_TIMEOUT.plus(SESSION).plus(NOISE))
                .until(() -> !exists(node, admin));
        long deleted = System.nanoTime();
        assertThat(exists(node, witness)).as("deleted, and still shown").isTrue();
        b.awaitLeading(LEASE.plus(NOISE));
        assertThat(exists(node, witness)).as("taken over, and still shown").isTrue();
        assertThat(witness.getState()).isEqualTo(ZooKeeper.States.CONNECTED);

        await().atMost(NOISE).until(() -> timeline.began("b", cut).isPresent());
        assertThat(timeline.overlaps()).isEmpty();
        assertThat(since(isolated, timeline.lastLed("a"))).as("a led on").isLessThanOrEqualTo(LEASE);
        long began = timeline.began("b", cut).orElseThrow();
        assertThat(since(cut, began))
                .as("b begins")
                .isLessThan(SYNC_TIMEOUT.plus(SESSION).plus(LEASE).plus(NOISE));
        report("cut: a led until %s, node deleted %s, b led from %s", cut, timeline.lastLed("a"), deleted, began);
        return deleted;
    }

    @Test
    @Tag("F15")
    @DisplayName(
            "F15: a candidate whose node is gone does not lead, though the deposed ZooKeeper leader answers its sync")
    void aSyncAnsweredByADeposedServerMakesNoLeader() throws Exception {
        ensemble = TestEnsemble.ledBySlowToNotice();
        List<Integer> majority = TestEnsemble.others(SLOW_TO_NOTICE);
        ZooKeeper admin = connect(ensemble.address(majority));
        // Somebody led a moment ago, so the first in the queue waits. Nothing else is written to the deposed server in
        // that time: its sync would wait for that, too.
        Duration earlierLease = Duration.ofSeconds(7);
        byte[] held = LeaderRecord.held("c-gone-0000000000", 1, earlierLease.toMillis())
                .toJson();
        for (String path : List.of(ROOT, PATH)) {
            admin.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
        admin.create(PATH + "/leader", held, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        Contender a = new Contender("a", ensemble.address(SLOW_TO_NOTICE), LONG, LEASE);
        await().atMost(NOISE).until(() -> candidates(admin).size() == 1);
        Contender b = new Contender("b", ensemble.address(majority), LONG, LEASE).awaitFollowing();
        String node = nodeOf("a", admin);
        measure();

        long cut = System.nanoTime();
        ensemble.isolate(SLOW_TO_NOTICE);
        await("the quorum deletes the node").atMost(SYNC_TIMEOUT.plus(NOISE)).until(() -> delete(node, admin));
        long deleted = System.nanoTime();

        assertThat(sync(a.client)).isEqualTo(Code.OK);
        assertThat(exists(node, a.client))
                .as("deleted, synced, and still shown")
                .isTrue();
        long synced = System.nanoTime();
        b.awaitLeading(earlierLease.plus(NOISE));
        assertThat(ensemble.leads(SLOW_TO_NOTICE)).isTrue();
        await().atMost(NOISE).until(() -> timeline.began("b", cut).isPresent());
        assertThat(timeline.spans("a")).as("terms of a").isZero();
        report(
                "cut: node deleted %s, sync answered %s, b led from %s",
                cut, deleted, synced, timeline.began("b", cut).orElseThrow());

        ensemble.heal();
        a.awaitFollowing();
        assertThat(timeline.overlaps()).isEmpty();
    }

    @Test
    @Tag("F16")
    @DisplayName(
            "F16: a leader does not go on leading when a deposed ZooKeeper leader takes its session back in, which has"
                    + " ended meanwhile, and shows its node and the record that names it")
    void aReconnectToADeposedServerMakesNoLeader() throws Exception {
        ensemble = TestEnsemble.ledBySlowToNotice();
        List<Integer> majority = TestEnsemble.others(SLOW_TO_NOTICE);
        TcpProxy line = new TcpProxy(ensemble.port(SLOW_TO_NOTICE));
        opened.add(line);
        // Long enough for the deposed server, which counts by itself, not to expire it.
        Duration session = Duration.ofSeconds(20);
        Contender a = new Contender("a", line.address(), session, LEASE).awaitLeading(NOISE);
        Contender b = join("b", ensemble.address(majority)).awaitFollowing();
        ZooKeeper admin = connect(ensemble.address(majority));
        ZooKeeper witness = connect(ensemble.address(SLOW_TO_NOTICE));
        String node = nodeOf("a", admin);
        measure();
        await().atMost(NOISE).until(() -> timeline.leads("a"));

        long cut = System.nanoTime();
        line.cut();
        ensemble.isolate(SLOW_TO_NOTICE);
        endSession(a.client, ensemble.address(majority));
        await("the quorum deletes the node").atMost(SYNC_TIMEOUT.plus(NOISE)).until(() -> !exists(node, admin));
        long deleted = System.nanoTime();
        b.awaitLeading(LEASE.plus(NOISE));
        line.open();

        await("the deposed server takes the session in").atMost(NOISE).until(() -> a.connects.size() > 1);
        assertThat(a.connects.get(1).session()).isEqualTo(a.connects.get(0).session());
        long connected = a.connects.get(1).nanos();
        assertThat(connected).isGreaterThan(deleted);
        awaitSamples("a", connected, LEASE.multipliedBy(2));
        assertThat(exists(node, witness)).as("deleted, and still shown").isTrue();
        assertThat(timeline.began("a", connected)).isEmpty();
        assertThat(timeline.overlaps()).isEmpty();
        report(
                "cut: session ended %s, b led from %s, a connected %s",
                cut, deleted, timeline.began("b", cut).orElseThrow(), connected);
    }

    @Test
    @Tag("F24")
    @DisplayName("F24: what a server that lags behind lists to an old or a new session makes nobody leader")
    void aStaleListMakesNoLeader() throws Exception {
        ensemble = TestEnsemble.followedBySlowToNotice();
        List<Integer> majority = TestEnsemble.others(SLOW_TO_NOTICE);
        Contender a = join("a", ensemble.address(SLOW_TO_NOTICE)).awaitLeading(NOISE);
        Contender b = join("b", ensemble.address(majority)).awaitFollowing();
        ZooKeeper admin = connect(ensemble.address(majority));
        ZooKeeper witness = connect(ensemble.address(SLOW_TO_NOTICE));
        String first = nodeOf("a", admin);
        measure();

        long expired = a.client.getSessionId();
        ensemble.isolate(SLOW_TO_NOTICE);
        endSession(a.client, ensemble.address(majority));
        await().atMost(NOISE).until(() -> !exists(first, admin));
        b.awaitLeading(LEASE.plus(NOISE));
        assertThat(candidates(witness)).as("what the lagging server lists").startsWith(first);
        ensemble.heal();
        await("a new session on that server")
                .atMost(NOISE.plus(SESSION))
                .until(() -> a.client.getSessionId() != expired && a.client.getState() == ZooKeeper.States.CONNECTED);
        a.awaitFollowing();

        String second = nodeOf("b", admin);
        await().atMost(NOISE).until(() -> exists(nodeOf("a", admin), witness));
        ensemble.isolate(SLOW_TO_NOTICE);
        b.election.stepDown();
        assertThat(exists(second, admin)).isFalse();
        assertThat(candidates(witness)).as("what the lagging server lists").startsWith(second);
        ensemble.heal();
        await("somebody leads again")
                .atMost(SESSION.plus(LEASE).plus(NOISE))
                .until(() -> timeline.leads("a") || timeline.leads("b"));
        assertThat(timeline.overlaps()).isEmpty();
    }

    // pauses

    @Test
    @Tag("F17")
    @DisplayName("F17: a leader that is paused for longer than its session does not lead when it goes on")
    void aPausedLeaderDoesNotLeadWhenItGoesOn() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        ZooKeeper admin = connect(ensemble.address());
        ChildProcess a = CandidateProcess.start("a", ensemble.address(), SESSION, LEASE, PATH, timeline);
        opened.add(a);
        await("a leads").atMost(NOISE.multipliedBy(2)).until(() -> timeline.leads("a"));
        Contender b = join("b", ensemble.address()).awaitFollowing();
        String node = nodeOf("a", admin);
        measure();

        long paused = System.nanoTime();
        a.pause();
        b.awaitLeading(SESSION.plus(LEASE).plus(NOISE));
        assertThat(exists(node, admin)).isFalse();
        long resumed = System.nanoTime();
        a.resume();

        awaitSamples("a", resumed, LEASE);
        assertThat(timeline.began("a", resumed)).isEmpty();
        assertThat(timeline.overlaps()).isEmpty();
        report(
                "paused: a led until %s, b led from %s, resumed %s",
                paused, timeline.lastLed("a"), timeline.began("b", paused).orElseThrow(), resumed);

        await("a is back")
                .atMost(SESSION.plus(NOISE))
                .until(() -> candidates(admin).size() == 2);
        b.election.stepDown();
        await("a leads again")
                .atMost(LEASE.plus(NOISE))
                .until(() -> timeline.began("a", resumed).isPresent());
        assertThat(timeline.overlaps()).isEmpty();
    }

    @Test
    @Tag("F18")
    @DisplayName("F18: a leader that is paused together with its server does not lead when both go on, though answers"
            + " from before await it, and that server does not know yet what it missed")
    void aLeaderPausedWithItsServerDoesNotLeadWhenBothGoOn() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        List<Integer> majority = TestEnsemble.others(SLOW_TO_NOTICE);
        ZooKeeper admin = connect(ensemble.address(majority));
        ZooKeeper witness = connect(ensemble.address(SLOW_TO_NOTICE));
        // A slow line, so that there is an acknowledgement on its way whenever the candidate is paused.
        TcpProxy line = new TcpProxy(ensemble.port(SLOW_TO_NOTICE));
        line.delay(100);
        opened.add(line);
        ChildProcess a = CandidateProcess.start("a", line.address(), SESSION, LEASE, PATH, timeline);
        opened.add(a);
        await("a leads").atMost(NOISE.multipliedBy(2)).until(() -> timeline.leads("a"));
        Contender b = join("b", ensemble.address(majority)).awaitFollowing();
        String node = nodeOf("a", admin);
        measure();

        long paused = System.nanoTime();
        a.pause();
        await("what is on its way arrives").pollDelay(Duration.ofMillis(300)).until(() -> true);
        ensemble.pause(SLOW_TO_NOTICE);
        ensemble.isolate(SLOW_TO_NOTICE);
        b.awaitLeading(SESSION.plus(LEASE).plus(NOISE));
        assertThat(exists(node, admin)).isFalse();
        long resumed = System.nanoTime();
        ensemble.resume(SLOW_TO_NOTICE);
        a.resume();

        assertThat(exists(node, witness)).as("deleted, and still shown").isTrue();
        awaitSamples("a", resumed, LEASE.multipliedBy(2));
        assertThat(timeline.began("a", resumed)).isEmpty();
        assertThat(timeline.overlaps()).isEmpty();
        report(
                "paused: a led until %s, b led from %s, resumed %s",
                paused, timeline.lastLed("a"), timeline.began("b", paused).orElseThrow(), resumed);
    }

    private void awaitSamples(String who, long since, Duration length) {
        await("what " + who + " says for " + length)
                .atMost(length.plus(NOISE))
                .until(() -> timeline.askedAfter(who, since + length.toNanos()));
    }

    // servers that come and go

    @Test
    @DisplayName("Clients that move to another server go on leading and following, and later elections work")
    void clientsThatMoveToAnotherServerGoOn() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        Duration session = Duration.ofSeconds(8);
        Duration lease = Duration.ofSeconds(5);
        int home = ensemble.follower();
        Map<Integer, TcpProxy> lines = new LinkedHashMap<>();
        for (int id : List.of(1, 2, 3)) {
            lines.put(id, new TcpProxy(ensemble.port(id)));
            opened.add(lines.get(id));
        }
        TestEnsemble.others(home).forEach(id -> lines.get(id).cut());
        String address =
                String.join(",", lines.values().stream().map(TcpProxy::address).toList());
        Contender a = new Contender("a", address, session, lease).awaitLeading(NOISE.plus(session));
        Contender b = new Contender("b", address, session, lease).awaitFollowing();
        Contender c = new Contender("c", address, session, lease).awaitFollowing();
        List<Contender> all = List.of(a, b, c);
        Leadership term = a.election.leadership().orElseThrow();
        measure();
        await().atMost(NOISE).until(() -> timeline.leads("a"));

        lines.values().forEach(TcpProxy::open);
        long killed = System.nanoTime();
        ensemble.kill(home);
        lines.get(home).cut();
        await("all have moved").atMost(lease).until(() -> all.stream().allMatch(it -> it.connects.size() > 1));
        long moved = System.nanoTime();

        // Longer than any lease from before: it is renewed through the other server.
        awaitSamples("a", killed, lease);
        assertThat(term.isValid()).isTrue();
        assertThat(all)
                .allSatisfy(it -> assertThat(it.connects).extracting("session").containsOnly(it.client.getSessionId()));
        assertThat(List.of(b, c)).extracting(it -> it.election.role()).containsOnly(Role.FOLLOWER);
        report("killed: all moved %s", killed, moved);

        a.election.stepDown();
        b.awaitLeading(NOISE);
        b.election.withdraw();
        c.awaitLeading(NOISE);
        assertThat(timeline.overlaps()).isEmpty();
        assertThat(timeline.spans("a")).isEqualTo(1);
    }

    @Test
    @DisplayName("A rolling restart of all servers never makes two leaders, and there is one after each restart")
    void aRollingRestartMakesNeverTwoLeaders() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        List<Contender> all =
                List.of(join("a", ensemble.address()), join("b", ensemble.address()), join("c", ensemble.address()));
        await().atMost(NOISE).until(() -> leading(all) == 1);
        measure();

        // The leader last, as one does it.
        List<Integer> order = new ArrayList<>(TestEnsemble.others(ensemble.leader()));
        order.add(ensemble.leader());
        for (int id : order) {
            ensemble.stop(id);
            ensemble.start(id);
            ensemble.awaitServing();
            long serving = System.nanoTime();
            await("somebody leads").atMost(SESSION.plus(LEASE).plus(NOISE)).until(() -> leading(all) == 1);
            await("all take part")
                    .atMost(SESSION.multipliedBy(2).plus(NOISE))
                    .until(() -> all.stream()
                            .allMatch(it -> it.election.role() == Role.LEADER || it.election.role() == Role.FOLLOWER));
            report("server " + id + " serves again: all take part %s", serving, System.nanoTime());
        }
        assertThat(timeline.overlaps()).isEmpty();
    }

    @Test
    @DisplayName("Without a quorum for longer than the session nobody leads, and when it is back somebody does")
    void withoutAQuorumNobodyLeads() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        List<Contender> all = List.of(join("a", ensemble.address()), join("b", ensemble.address()));
        await().atMost(NOISE).until(() -> leading(all) == 1);
        measure();
        await().atMost(NOISE).until(() -> timeline.leads("a") || timeline.leads("b"));

        List<Integer> lost = List.of(ensemble.leader(), SLOW_TO_NOTICE);
        ensemble.kill(lost.get(0));
        ensemble.kill(lost.get(1));
        long gone = System.nanoTime();
        Duration longEnough = SESSION.multipliedBy(3).dividedBy(2);
        await().pollDelay(longEnough).atMost(longEnough.plus(NOISE)).until(() -> leading(all) == 0);
        long last = timeline.lastLed();
        assertThat(since(gone, last)).as("led without a quorum").isLessThanOrEqualTo(LEASE);
        long back = System.nanoTime();
        lost.forEach(ensemble::start);
        ensemble.awaitServing();
        long serving = System.nanoTime();

        await("somebody leads")
                .atMost(SESSION.multipliedBy(2).plus(LEASE).plus(NOISE))
                .until(() -> leading(all) == 1);
        assertThat(timeline.overlaps()).isEmpty();
        report(
                "quorum gone: led until %s, servers started %s, serve %s, led again by %s",
                gone, last, back, serving, System.nanoTime());
    }

    private static long leading(List<Contender> contenders) {
        return contenders.stream().filter(it -> it.election.isLeader()).count();
    }

    // ZooKeeper, as another client sees it

    private static String nodeOf(String id, ZooKeeper client) {
        return candidates(client).stream()
                .filter(node -> id.equals(CandidateData.parse(answer(() -> client.getData(node, false, null)))
                        .id()))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> candidates(ZooKeeper client) {
        return answer(() -> client.getChildren(PATH, false)).stream()
                .map(NodeName::parse)
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(NodeName::sequence))
                .map(node -> PATH + "/" + node.name())
                .toList();
    }

    private static boolean exists(String path, ZooKeeper client) {
        return answer(() -> client.exists(path, false)) != null;
    }

    private static boolean delete(String path, ZooKeeper client) {
        return answer(() -> {
            try {
                client.delete(path, -1);
            } catch (KeeperException.NoNodeException done) {
                // An earlier attempt, of which we did not hear, did it.
            }
            return true;
        });
    }

    private static Code sync(ZooKeeper client) throws Exception {
        var answer = new CompletableFuture<Code>();
        client.sync(PATH, (code, path, context) -> answer.complete(Code.get(code)), null);
        return answer.get(NOISE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Ends somebody's session as the quorum sees it, on another server. */
    private static void endSession(ZooKeeper client, String address) throws IOException, InterruptedException {
        var connected = new CompletableFuture<Void>();
        try (ZooKeeper twin = new ZooKeeper(
                address,
                (int) SESSION.toMillis(),
                event -> connected.complete(null),
                client.getSessionId(),
                client.getSessionPasswd())) {
            connected.orTimeout(NOISE.toSeconds(), TimeUnit.SECONDS).join();
        }
    }

    /** Asks again while the client looks for a server. */
    private static <T> T answer(Callable<T> question) {
        long until = System.nanoTime() + NOISE.toNanos();
        while (true) {
            try {
                return question.call();
            } catch (KeeperException.ConnectionLossException lost) {
                if (System.nanoTime() - until > 0) {
                    throw new IllegalStateException(lost);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static Duration since(long start, long nanos) {
        return Duration.ofNanos(nanos - start);
    }

    private static void report(String what, long start, long... times) {
        Object[] seconds = Arrays.stream(times)
                .mapToObj(time -> "%+.2f s".formatted((time - start) / 1e9))
                .toArray();
        System.out.println("[ensemble] " + what.formatted(seconds));
    }
}
