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
import io.github.leaderelection.zookeeper.fixture.RecordedLog;
import io.github.leaderelection.zookeeper.fixture.ReportFile;
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
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Elections on an ensemble of three servers that are partitioned, paused, killed and restarted. Each wait is bounded by
 * what the protocol guarantees plus {@link #TOLERANCE}. A {@link Timeline} measures that no two candidates led at the same
 * time.
 */
class EnsembleIT {

    private static final Duration SESSION = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofSeconds(1);
    /** For clients that must survive everything that the test does. */
    private static final Duration LONG_SESSION = Duration.ofSeconds(50);

    private static final Duration TOLERANCE = Duration.ofSeconds(10);
    private static final String ROOT = "/elections";
    private static final String PATH = ROOT + "/orders";

    @RegisterExtension
    final RecordedLog log = new RecordedLog();

    private final Timeline timeline = new Timeline();
    private final Map<String, Election> asked = new ConcurrentHashMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestEnsemble ensemble;

    /** A candidate in this process, with a session of its own. */
    private final class Member implements AutoCloseable {
        private final String id;
        private final List<Connected> connects = new CopyOnWriteArrayList<>();
        private final ZooKeeperElections elections;
        private final Election election;
        private volatile ZooKeeper client;

        private record Connected(long nanos, long session) {}

        Member(String id, String address, Duration session, Duration lease) {
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
                            recordConnect(event, opened);
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

        /** @param opened the client, which may be connected before its constructor has returned */
        private void recordConnect(WatchedEvent event, CompletableFuture<ZooKeeper> opened) {
            if (event.getState() == KeeperState.SyncConnected && event.getPath() == null) {
                connects.add(new Connected(System.nanoTime(), opened.join().getSessionId()));
            }
        }

        Member awaitLeading(Duration bound) {
            await(id + " leads").atMost(bound).until(election::isLeader);
            return this;
        }

        Member awaitFollowing() {
            await(id + " follows").atMost(TOLERANCE.plus(SESSION)).until(() -> election.role() == Role.FOLLOWER);
            return this;
        }

        @Override
        public void close() {
            elections.close();
        }
    }

    private Member join(String id, String address) {
        return new Member(id, address, SESSION, LEASE);
    }

    private ZooKeeper connect(String address) {
        ZooKeeper client = TestServer.connect(address, LONG_SESSION);
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
                        .map(resource -> CompletableFuture.runAsync(() -> closeQuietly(resource)))
                        .toArray(CompletableFuture[]::new))
                .join();
        ensemble.close();
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    // a server that is partitioned from the others

    @Test
    @Tag("F13")
    @DisplayName(
            "F13: a leader on a deposed ZooKeeper leader stops before the next leader begins, although that server still shows its node")
    void aLeaderOnADeposedServerStopsBeforeAnotherBegins() {
        ensemble = TestEnsemble.ledBySlowToNotice();
        Member a = join("a", ensemble.address(SLOW_TO_NOTICE)).awaitLeading(TOLERANCE);

        partition(a);

        assertThat(ensemble.leads(SLOW_TO_NOTICE)).isTrue();
    }

    @Test
    @Tag("F14")
    @DisplayName(
            "F14: a leader on a partitioned ZooKeeper follower stops before the next leader begins, although that server still shows its node")
    void aLeaderOnAPartitionedServerStopsBeforeAnotherBegins() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        Member a = join("a", ensemble.address(SLOW_TO_NOTICE)).awaitLeading(TOLERANCE);

        partition(a);

        ensemble.heal();
        a.awaitFollowing();
        asked.get("b").stepDown();
        a.awaitLeading(LEASE.plus(TOLERANCE));
        assertThat(timeline.overlaps()).isEmpty();
    }

    /** Partitions the server of a candidate, and checks that the candidate stops leading before the next one begins. */
    private void partition(Member a) {
        List<Integer> majority = TestEnsemble.others(SLOW_TO_NOTICE);
        Member b = join("b", ensemble.address(majority)).awaitFollowing();
        ZooKeeper admin = connect(ensemble.address(majority));
        ZooKeeper witness = connect(ensemble.address(SLOW_TO_NOTICE));
        String node = nodeOf(a.id, admin);
        measure();
        await().atMost(TOLERANCE).until(() -> timeline.leads(a.id));

        long cut = System.nanoTime();
        ensemble.isolate(SLOW_TO_NOTICE);
        long isolated = System.nanoTime();

        await("the quorum deletes the node")
                .atMost(SYNC_TIMEOUT.plus(SESSION).plus(TOLERANCE))
                .until(() -> !exists(node, admin));
        long deleted = System.nanoTime();
        assertThat(exists(node, witness))
                .as("deleted by the quorum, but still shown")
                .isTrue();
        b.awaitLeading(LEASE.plus(TOLERANCE));
        assertThat(exists(node, witness)).as("taken over, but still shown").isTrue();
        assertThat(witness.getState()).isEqualTo(ZooKeeper.States.CONNECTED);

        await().atMost(TOLERANCE).until(() -> timeline.began(b.id, cut).isPresent());
        assertThat(timeline.overlaps()).isEmpty();
        assertThat(since(isolated, timeline.lastLed(a.id)))
                .as("time that a led after the partition")
                .isLessThanOrEqualTo(LEASE);
        long began = timeline.began(b.id, cut).orElseThrow();
        assertThat(since(cut, began))
                .as("b begins")
                .isLessThan(SYNC_TIMEOUT.plus(SESSION).plus(LEASE).plus(TOLERANCE));
        report("cut: a led until %s, node deleted %s, b led from %s", cut, timeline.lastLed(a.id), deleted, began);
    }

    @Test
    @Tag("F15")
    @DisplayName(
            "F15: a candidate whose node is deleted does not lead, although the deposed ZooKeeper leader answers its sync")
    void aSyncAnsweredByADeposedServerMakesNoLeader() throws Exception {
        ensemble = TestEnsemble.ledBySlowToNotice();
        List<Integer> majority = TestEnsemble.others(SLOW_TO_NOTICE);
        ZooKeeper admin = connect(ensemble.address(majority));
        // The record names an earlier leader, so that the first candidate waits. During that time nothing is written to
        // the deposed server, since its sync would wait for the write.
        Duration earlierLease = Duration.ofSeconds(7);
        byte[] held = LeaderRecord.held("c-gone-0000000000", 1, earlierLease.toMillis())
                .toJson();
        for (String path : List.of(ROOT, PATH)) {
            admin.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
        admin.create(PATH + "/leader", held, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        Member a = new Member("a", ensemble.address(SLOW_TO_NOTICE), LONG_SESSION, LEASE);
        await().atMost(TOLERANCE).until(() -> candidates(admin).size() == 1);
        Member b = new Member("b", ensemble.address(majority), LONG_SESSION, LEASE).awaitFollowing();
        String node = nodeOf("a", admin);
        measure();

        long cut = System.nanoTime();
        ensemble.isolate(SLOW_TO_NOTICE);
        await("the quorum deletes the node")
                .atMost(SYNC_TIMEOUT.plus(TOLERANCE))
                .until(() -> delete(node, admin));
        long deleted = System.nanoTime();

        assertThat(sync(a.client)).isEqualTo(Code.OK);
        assertThat(exists(node, a.client))
                .as("deleted by the quorum and synced, but still shown")
                .isTrue();
        long synced = System.nanoTime();
        b.awaitLeading(earlierLease.plus(TOLERANCE));
        assertThat(ensemble.leads(SLOW_TO_NOTICE)).isTrue();
        await().atMost(TOLERANCE).until(() -> timeline.began("b", cut).isPresent());
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
            "F16: a leader stops leading even if a deposed ZooKeeper leader accepts its expired session and still shows its node and its record")
    void aReconnectToADeposedServerMakesNoLeader() throws Exception {
        ensemble = TestEnsemble.ledBySlowToNotice();
        List<Integer> majority = TestEnsemble.others(SLOW_TO_NOTICE);
        TcpProxy proxy = new TcpProxy(ensemble.port(SLOW_TO_NOTICE));
        opened.add(proxy);
        // So long that the deposed server, which counts by itself, does not expire it.
        Duration session = Duration.ofSeconds(20);
        Member a = new Member("a", proxy.address(), session, LEASE).awaitLeading(TOLERANCE);
        Member b = join("b", ensemble.address(majority)).awaitFollowing();
        ZooKeeper admin = connect(ensemble.address(majority));
        ZooKeeper witness = connect(ensemble.address(SLOW_TO_NOTICE));
        String node = nodeOf("a", admin);
        measure();
        await().atMost(TOLERANCE).until(() -> timeline.leads("a"));

        long cut = System.nanoTime();
        proxy.cut();
        ensemble.isolate(SLOW_TO_NOTICE);
        endSession(a.client, ensemble.address(majority));
        await("the quorum deletes the node")
                .atMost(SYNC_TIMEOUT.plus(TOLERANCE))
                .until(() -> !exists(node, admin));
        long deleted = System.nanoTime();
        b.awaitLeading(LEASE.plus(TOLERANCE));
        proxy.open();

        await("the deposed server takes the session in").atMost(TOLERANCE).until(() -> a.connects.size() > 1);
        assertThat(a.connects.get(1).session()).isEqualTo(a.connects.get(0).session());
        long connected = a.connects.get(1).nanos();
        assertThat(connected).isGreaterThan(deleted);
        awaitSamples("a", connected, LEASE.multipliedBy(2));
        assertThat(exists(node, witness))
                .as("deleted by the quorum, but still shown")
                .isTrue();
        assertThat(timeline.began("a", connected)).isEmpty();
        assertThat(timeline.overlaps()).isEmpty();
        report(
                "cut: session ended %s, b led from %s, a connected %s",
                cut, deleted, timeline.began("b", cut).orElseThrow(), connected);
    }

    @Test
    @Tag("F24")
    @DisplayName("F24: a stale list from a lagging server does not make a candidate lead, on an old or a new session")
    void aStaleListMakesNoLeader() throws Exception {
        ensemble = TestEnsemble.followedBySlowToNotice();
        List<Integer> majority = TestEnsemble.others(SLOW_TO_NOTICE);
        Member a = join("a", ensemble.address(SLOW_TO_NOTICE)).awaitLeading(TOLERANCE);
        Member b = join("b", ensemble.address(majority)).awaitFollowing();
        ZooKeeper admin = connect(ensemble.address(majority));
        ZooKeeper witness = connect(ensemble.address(SLOW_TO_NOTICE));
        String first = nodeOf("a", admin);
        measure();

        long expired = a.client.getSessionId();
        ensemble.isolate(SLOW_TO_NOTICE);
        endSession(a.client, ensemble.address(majority));
        await().atMost(TOLERANCE).until(() -> !exists(first, admin));
        b.awaitLeading(LEASE.plus(TOLERANCE));
        assertThat(candidates(witness)).as("list of the lagging server").startsWith(first);
        ensemble.heal();
        await("a new session on that server")
                .atMost(TOLERANCE.plus(SESSION))
                .until(() -> a.client.getSessionId() != expired && a.client.getState() == ZooKeeper.States.CONNECTED);
        a.awaitFollowing();

        String second = nodeOf("b", admin);
        await().atMost(TOLERANCE).until(() -> exists(nodeOf("a", admin), witness));
        ensemble.isolate(SLOW_TO_NOTICE);
        b.election.stepDown();
        assertThat(exists(second, admin)).isFalse();
        assertThat(candidates(witness)).as("list of the lagging server").startsWith(second);
        ensemble.heal();
        await("a candidate leads again")
                .atMost(SESSION.plus(LEASE).plus(TOLERANCE))
                .until(() -> timeline.leads("a") || timeline.leads("b"));
        assertThat(timeline.overlaps()).isEmpty();
    }

    // pauses

    @Test
    @Tag("F17")
    @DisplayName("F17: a leader that is paused for longer than its session does not lead when it resumes")
    void aPausedLeaderDoesNotLeadWhenItResumes() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        ZooKeeper admin = connect(ensemble.address());
        ChildProcess a = CandidateProcess.start("a", ensemble.address(), SESSION, LEASE, PATH, timeline);
        opened.add(a);
        await("a leads").atMost(TOLERANCE.multipliedBy(2)).until(() -> timeline.leads("a"));
        Member b = join("b", ensemble.address()).awaitFollowing();
        String node = nodeOf("a", admin);
        measure();

        long paused = System.nanoTime();
        a.pause();
        b.awaitLeading(SESSION.plus(LEASE).plus(TOLERANCE));
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
                .atMost(SESSION.plus(TOLERANCE))
                .until(() -> candidates(admin).size() == 2);
        b.election.stepDown();
        await("a leads again")
                .atMost(LEASE.plus(TOLERANCE))
                .until(() -> timeline.began("a", resumed).isPresent());
        assertThat(timeline.overlaps()).isEmpty();
    }

    @Test
    @Tag("F18")
    @DisplayName(
            "F18: a leader that is paused together with its server does not lead when both resume, although old answers are waiting for it")
    void aLeaderPausedWithItsServerDoesNotLeadWhenBothResume() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        List<Integer> majority = TestEnsemble.others(SLOW_TO_NOTICE);
        ZooKeeper admin = connect(ensemble.address(majority));
        ZooKeeper witness = connect(ensemble.address(SLOW_TO_NOTICE));
        // A slow connection, so that there is always an acknowledgement in flight when the candidate is paused.
        TcpProxy proxy = new TcpProxy(ensemble.port(SLOW_TO_NOTICE));
        proxy.delay(100);
        opened.add(proxy);
        ChildProcess a = CandidateProcess.start("a", proxy.address(), SESSION, LEASE, PATH, timeline);
        opened.add(a);
        await("a leads").atMost(TOLERANCE.multipliedBy(2)).until(() -> timeline.leads("a"));
        Member b = join("b", ensemble.address(majority)).awaitFollowing();
        String node = nodeOf("a", admin);
        measure();

        long paused = System.nanoTime();
        a.pause();
        await("what is in flight arrives").pollDelay(Duration.ofMillis(300)).until(() -> true);
        ensemble.pause(SLOW_TO_NOTICE);
        ensemble.isolate(SLOW_TO_NOTICE);
        b.awaitLeading(SESSION.plus(LEASE).plus(TOLERANCE));
        assertThat(exists(node, admin)).isFalse();
        long resumed = System.nanoTime();
        ensemble.resume(SLOW_TO_NOTICE);
        a.resume();

        assertThat(exists(node, witness))
                .as("deleted by the quorum, but still shown")
                .isTrue();
        awaitSamples("a", resumed, LEASE.multipliedBy(2));
        assertThat(timeline.began("a", resumed)).isEmpty();
        assertThat(timeline.overlaps()).isEmpty();
        report(
                "paused: a led until %s, b led from %s, resumed %s",
                paused, timeline.lastLed("a"), timeline.began("b", paused).orElseThrow(), resumed);
    }

    private void awaitSamples(String who, long since, Duration length) {
        await("samples of " + who + " for " + length)
                .atMost(length.plus(TOLERANCE))
                .until(() -> timeline.askedAfter(who, since + length.toNanos()));
    }

    // servers that come and go

    @Test
    @DisplayName("Clients that move to another server keep leading and following, and can still hand over")
    void clientsThatMoveToAnotherServerKeepTheirRole() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        Duration session = Duration.ofSeconds(8);
        Duration lease = Duration.ofSeconds(5);
        int home = ensemble.follower();
        Map<Integer, TcpProxy> proxies = new LinkedHashMap<>();
        for (int id : List.of(1, 2, 3)) {
            proxies.put(id, new TcpProxy(ensemble.port(id)));
            opened.add(proxies.get(id));
        }
        TestEnsemble.others(home).forEach(id -> proxies.get(id).cut());
        String address = String.join(
                ",", proxies.values().stream().map(TcpProxy::address).toList());
        Member a = new Member("a", address, session, lease).awaitLeading(TOLERANCE.plus(session));
        Member b = new Member("b", address, session, lease).awaitFollowing();
        Member c = new Member("c", address, session, lease).awaitFollowing();
        List<Member> all = List.of(a, b, c);
        Leadership term = a.election.leadership().orElseThrow();
        measure();
        await().atMost(TOLERANCE).until(() -> timeline.leads("a"));

        proxies.values().forEach(TcpProxy::open);
        long killed = System.nanoTime();
        ensemble.kill(home);
        proxies.get(home).cut();
        await("all have moved").atMost(lease).until(() -> all.stream().allMatch(member -> member.connects.size() > 1));
        long moved = System.nanoTime();

        // Longer than any earlier lease: it is renewed through another server.
        awaitSamples("a", killed, lease);
        assertThat(term.isValid()).isTrue();
        assertThat(all)
                .allSatisfy(member ->
                        assertThat(member.connects).extracting("session").containsOnly(member.client.getSessionId()));
        assertThat(List.of(b, c)).extracting(member -> member.election.role()).containsOnly(Role.FOLLOWER);
        report("killed: all moved %s", killed, moved);

        a.election.stepDown();
        b.awaitLeading(TOLERANCE);
        b.election.withdraw();
        c.awaitLeading(TOLERANCE);
        assertThat(timeline.overlaps()).isEmpty();
        assertThat(timeline.spans("a")).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "A rolling restart of all servers never leads to two leaders, and there is one leader after each restart")
    void aRollingRestartNeverLeadsToTwoLeaders() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        List<Member> all =
                List.of(join("a", ensemble.address()), join("b", ensemble.address()), join("c", ensemble.address()));
        await().atMost(TOLERANCE).until(() -> leading(all) == 1);
        measure();

        // The leader last, as it is usual.
        List<Integer> order = new ArrayList<>(TestEnsemble.others(ensemble.leader()));
        order.add(ensemble.leader());
        for (int id : order) {
            ensemble.stop(id);
            ensemble.start(id);
            ensemble.awaitServing();
            long serving = System.nanoTime();
            await("a candidate leads")
                    .atMost(SESSION.plus(LEASE).plus(TOLERANCE))
                    .until(() -> leading(all) == 1);
            await("all take part")
                    .atMost(SESSION.multipliedBy(2).plus(TOLERANCE))
                    .until(() -> all.stream()
                            .allMatch(member ->
                                    member.election.role() == Role.LEADER || member.election.role() == Role.FOLLOWER));
            report("server " + id + " serves again: all take part %s", serving, System.nanoTime());
        }
        assertThat(timeline.overlaps()).isEmpty();
    }

    @Test
    @DisplayName(
            "No candidate leads while there is no quorum for longer than a session, and one leads when the quorum is back")
    void noCandidateLeadsWithoutAQuorum() {
        ensemble = TestEnsemble.followedBySlowToNotice();
        List<Member> all = List.of(join("a", ensemble.address()), join("b", ensemble.address()));
        await().atMost(TOLERANCE).until(() -> leading(all) == 1);
        measure();
        await().atMost(TOLERANCE).until(() -> timeline.leads("a") || timeline.leads("b"));

        List<Integer> lost = List.of(ensemble.leader(), SLOW_TO_NOTICE);
        ensemble.kill(lost.get(0));
        ensemble.kill(lost.get(1));
        long gone = System.nanoTime();
        Duration longEnough = SESSION.multipliedBy(3).dividedBy(2);
        await().pollDelay(longEnough).atMost(longEnough.plus(TOLERANCE)).until(() -> leading(all) == 0);
        long last = timeline.lastLed();
        assertThat(since(gone, last))
                .as("time that a candidate led without a quorum")
                .isLessThanOrEqualTo(LEASE);
        long back = System.nanoTime();
        lost.forEach(ensemble::start);
        ensemble.awaitServing();
        long serving = System.nanoTime();

        await("a candidate leads")
                .atMost(SESSION.multipliedBy(2).plus(LEASE).plus(TOLERANCE))
                .until(() -> leading(all) == 1);
        assertThat(timeline.overlaps()).isEmpty();
        report(
                "quorum gone: led until %s, servers started %s, serve %s, led again by %s",
                gone, last, back, serving, System.nanoTime());
    }

    private static long leading(List<Member> members) {
        return members.stream().filter(member -> member.election.isLeader()).count();
    }

    // ZooKeeper as another client sees it

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
                // An earlier attempt whose answer was lost.
            }
            return true;
        });
    }

    private static Code sync(ZooKeeper client) throws Exception {
        var answer = new CompletableFuture<Code>();
        client.sync(PATH, (code, path, context) -> answer.complete(Code.get(code)), null);
        return answer.get(TOLERANCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Ends a session through another server. */
    private static void endSession(ZooKeeper client, String address) throws IOException, InterruptedException {
        var connected = new CompletableFuture<Void>();
        try (ZooKeeper twin = new ZooKeeper(
                address,
                (int) SESSION.toMillis(),
                event -> connected.complete(null),
                client.getSessionId(),
                client.getSessionPasswd())) {
            connected.orTimeout(TOLERANCE.toSeconds(), TimeUnit.SECONDS).join();
        }
    }

    /** Asks again while the client reconnects. */
    private static <T> T answer(Callable<T> question) {
        long until = System.nanoTime() + TOLERANCE.toNanos();
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
        ReportFile.of("ensemble.txt").line(what.formatted(seconds));
    }
}
