package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.DataNode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Limits of ZooKeeper and of its configuration. */
class LimitsFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F58")
    @DisplayName("F58: a queue that exceeds the client's buffer blocks its own election, but no other one")
    void queueLongerThanTheBuffer() throws Exception {
        admin.createElection();
        var losses = new AtomicInteger();
        ZooKeeper client = narrowClient(losses::incrementAndGet);
        ZooKeeperElections elections = over(client, options("a"));
        Election other = elections.election("invoices", "/elections/invoices");
        EventLog events = EventLog.of(other);
        other.nominate();
        awaitLeader(other);
        String others = NodeName.prefix("0123456789abcdef0123456789abcdef");
        for (int i = 0; i < 50; i++) {
            admin.create(PATH + "/" + others, CreateMode.EPHEMERAL_SEQUENTIAL);
        }

        Election election = elections.election("orders", PATH);
        EventLog blocked = EventLog.of(election);
        election.nominate();

        eventually().until(() -> !blocked.failures().isEmpty());
        assertThat(blocked.failures().get(0)).hasMessageContaining(PATH).hasMessageContaining("jute.maxbuffer");
        eventually().until(() -> client.getState() == ZooKeeper.States.CONNECTED);
        int before = losses.get();
        await().during(Duration.ofSeconds(6)).atMost(BOUND).until(other::isLeader);
        assertThat(losses.get() - before)
                .as("connections broken in six seconds")
                .isLessThanOrEqualTo(3);
        for (String node : admin.nodes()) {
            if (node.startsWith(others)) {
                admin.delete(PATH + "/" + node);
            }
        }
        await().atMost(Duration.ofSeconds(60)).until(election::isLeader);
        await().untilAsserted(() -> assertThat(events.events()).containsExactly("granted 1"));
    }

    @Test
    @Tag("F58")
    @DisplayName("F58: elections that fit into the client's buffer only one by one do not break the connection forever")
    void electionsThatFitOneByOne() throws Exception {
        var lastLoss = new AtomicLong(System.nanoTime());
        ZooKeeper client = narrowClient(() -> lastLoss.set(System.nanoTime()));
        ZooKeeperElections elections = over(client, options("a").recheckInterval(Duration.ofMillis(400)));
        List<Election> all = IntStream.range(0, 80)
                .mapToObj(i -> elections.election("e" + i, "/elections/e" + i))
                .toList();
        all.forEach(Election::nominate);

        // Each reconnect takes a second or two, and then all elections are read at once.
        await().atMost(Duration.ofSeconds(60))
                .until(() -> client.getState() == ZooKeeper.States.CONNECTED
                        && System.nanoTime() - lastLoss.get() > 4_000_000_000L);

        eventually().until(() -> all.stream().allMatch(Election::isLeader));
    }

    /** A client with a small buffer; {@code onLoss} is called each time its connection breaks. */
    private ZooKeeper narrowClient(Runnable onLoss) throws IOException {
        var config = new ZKClientConfig();
        config.setProperty("jute.maxbuffer", "1024");
        Watcher watcher = event -> {
            if (event.getState() == Watcher.Event.KeeperState.Disconnected) {
                onLoss.run();
            }
        };
        return keep(new ZooKeeper(server.address(), 15_000, watcher, config));
    }

    @Test
    @Tag("F59")
    @DisplayName(
            "F59: after an overflow of the sequence, candidates lead in the order in which they joined, with growing tokens")
    void sequenceOverflow() {
        admin.createElection();
        DataNode node = server.server().getZKDatabase().getNode(PATH);
        synchronized (node) {
            node.stat.setCversion(Integer.MAX_VALUE - 2);
        }
        List<Election> candidates = new ArrayList<>();
        for (String id : List.of("a", "b", "c", "d", "e")) {
            Election election = candidate(id);
            eventually().until(() -> election.isLeader() || election.role() == Role.FOLLOWER);
            candidates.add(election);
        }
        assertThat(admin.nodes())
                .filteredOn(name -> name.endsWith("-2147483647"))
                .hasSizeGreaterThan(2);
        assertThat(candidates.get(4).candidates()).extracting(Candidate::id).containsExactly("a", "b", "c", "d", "e");

        long token = 0;
        for (Election election : candidates) {
            awaitLeader(election);
            assertThat(candidates.stream().filter(Election::isLeader)).hasSize(1);
            assertThat(election.leadership().orElseThrow().fencingToken()).isGreaterThan(token);
            token = election.leadership().orElseThrow().fencingToken();
            election.close();
        }
        assertThat(admin.nodes()).isEmpty();
    }

    @Test
    @Tag("F59")
    @DisplayName("F59: a leader that steps down after an overflow goes to the end of the queue")
    void stepDownAfterOverflow() {
        admin.createElection();
        DataNode node = server.server().getZKDatabase().getNode(PATH);
        synchronized (node) {
            node.stat.setCversion(Integer.MAX_VALUE);
        }
        Election a = candidate("a");
        awaitLeader(a);
        Election b = candidate("b");
        awaitFollower(b);

        a.stepDown();
        awaitLeader(b);
        awaitFollower(a);
        b.stepDown();
        awaitLeader(a);

        awaitFollower(b);
        assertThat(admin.nodes()).hasSize(2).allMatch(name -> name.endsWith("-2147483647"));
    }

    @Test
    @Tag("F60")
    @DisplayName("F60: the sequence alone decides the order, and foreign children are ignored")
    void orderBySequence() {
        admin.createElection();
        for (String foreign : List.of(
                "0",
                "aaa-0000000000",
                "c-",
                "c-x",
                "c-x-y",
                "c-x-",
                "c-x-99999999999",
                "lock-0000000001",
                "_c_0123-lock-0000000000",
                "zzz")) {
            admin.create(PATH + "/" + foreign);
        }
        List<Election> candidates = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Election election = candidate("candidate-" + i);
            eventually().until(() -> election.isLeader() || election.role() == Role.FOLLOWER);
            candidates.add(election);
        }
        assertThat(candidates.get(3).candidates())
                .extracting(Candidate::id)
                .containsExactly(
                        "candidate-0", "candidate-1", "candidate-2", "candidate-3", "candidate-4", "candidate-5");

        for (Election election : candidates) {
            awaitLeader(election);
            assertThat(candidates.stream().filter(Election::isLeader)).containsExactly(election);
            election.close();
        }
        assertThat(admin.stat(PATH).getNumChildren())
                .as("children: the foreign ones and the record")
                .isEqualTo(11);
    }

    @Test
    @Tag("F61")
    @DisplayName("F61: the lease depends on the session timeout that the server granted, not on the requested one")
    void negotiatedTimeout() {
        server.server().setMaxSessionTimeout(3_000);
        TcpProxy proxy = proxy();
        ZooKeeper client = client(proxy, Duration.ofMinutes(1));
        assertThat(client.getSessionTimeout()).isEqualTo(3_000);
        Election election = candidate(client, "a");
        awaitLeader(election);

        proxy.blackHole();
        long cutAt = System.nanoTime();
        eventually().until(() -> !election.isLeader());

        assertThat(Duration.ofNanos(System.nanoTime() - cutAt))
                .as("lease: a third of the granted timeout, not of the requested minute")
                .isLessThan(Duration.ofSeconds(5));
        proxy.open();
    }

    @Test
    @Tag("F61")
    @DisplayName("F61: a session timeout that shrinks on reconnect shortens the lease of the current leader")
    void timeoutShrinksOnReconnect() {
        TcpProxy proxy = proxy();
        ZooKeeper client = client(proxy, Duration.ofSeconds(30));
        Election election = candidate(client, "a");
        awaitLeader(election);
        EventLog events = EventLog.of(election);
        assertThat(remaining(election)).isBetween(5_000L, 10_000L);

        server.server().setMaxSessionTimeout(3_000);
        proxy.cutOnce();

        eventually().until(() -> client.getSessionTimeout() == 3_000);
        eventually().until(() -> remaining(election) <= 1_000);
        await().during(Duration.ofSeconds(1)).atMost(BOUND).until(election::isLeader);
        await().untilAsserted(() ->
                assertThat(events.events()).as("events in the same term").containsExactly("granted 1"));
        proxy.blackHole();
        long cutAt = System.nanoTime();
        eventually().until(() -> !election.isLeader());
        assertThat(Duration.ofNanos(System.nanoTime() - cutAt)).isLessThan(Duration.ofSeconds(4));
        proxy.open();
    }

    private static long remaining(Election election) {
        return election.leadership().map(term -> ((Term) term).remaining()).orElse(Long.MAX_VALUE);
    }

    @Test
    @Tag("F61")
    @DisplayName("F61: a lease that is not shorter than the granted session timeout is refused with both values")
    void leaseLongerThanTheSession() {
        server.server().setMaxSessionTimeout(3_000);
        ZooKeeper client = client(Duration.ofMinutes(1));
        ZooKeeperElections elections = over(client, options("a").lease(Duration.ofSeconds(5)));

        assertThatThrownBy(() -> elections.election("orders", PATH))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT5S")
                .hasMessageContaining("PT3S");
    }

    @Test
    @Tag("F62")
    @DisplayName("F62: a candidate refused for too many connections reports it, and joins when there is room")
    void tooManyConnections() {
        admin.create("/elections");
        server.limitConnectionsPerHost(1);
        ZooKeeperElections elections =
                over(sessions(server.address()), options("a").connectionTimeout(Duration.ofMillis(800)));
        assertThatThrownBy(() -> elections.election("orders", PATH))
                .isInstanceOf(ElectionConnectionException.class)
                .hasMessageContaining("PT0.8S");
        ZooKeeperElections waiting =
                over(sessions(server.address()), options("b").failFast(false));
        Election election = nominate(waiting);
        eventually().until(() -> election.role() == Role.CANDIDATE);

        server.limitConnectionsPerHost(1_000);

        awaitLeader(election);
    }

    @Test
    @Tag("F62")
    @DisplayName("F62: an address that cannot be resolved is reported and tried again")
    void unknownHost() {
        var attempts = new AtomicInteger();
        var listening = new CountDownLatch(1);
        ZooKeeperSessions sessions = watcher -> {
            // The failure is reported to the elections that are open by then.
            awaitUninterruptibly(listening);
            if (attempts.incrementAndGet() < 3) {
                throw new UnknownHostException("zookeeper.invalid");
            }
            return new ZooKeeper(server.address(), (int) SESSION.toMillis(), watcher);
        };
        ZooKeeperElections elections = over(sessions, options("a").failFast(false));
        Election election = elections.election("orders", PATH);
        EventLog events = EventLog.of(election);
        listening.countDown();
        election.nominate();

        awaitLeader(election);
        eventually().until(() -> !events.failures().isEmpty());
        assertThat(events.failures().get(0))
                .isInstanceOf(ElectionConnectionException.class)
                .hasMessageContaining("zookeeper.invalid");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Tag("F62")
    @DisplayName("F62: a missing chroot fails the start, and the election works as soon as it is created")
    void missingChroot() {
        ZooKeeper client = keep(TestServer.connect(server.address() + "/apps/shop", SESSION));
        ZooKeeperElections elections = over(client, options("a"));
        assertThatThrownBy(() -> elections.election("orders", PATH))
                .isInstanceOf(ElectionNotFoundException.class)
                .hasMessageContaining("/elections")
                .hasMessageContaining("chroot");

        admin.create("/apps");
        admin.create("/apps/shop");

        eventually().ignoreExceptions().until(() -> elections.election("orders", PATH) != null);
        Election election = nominate(elections);
        awaitLeader(election);
        assertThat(admin.exists("/apps/shop" + PATH)).isTrue();
    }

    @Test
    @Tag("F62")
    @DisplayName("F62: a client that moves to another server keeps leading in the same term")
    void serverListChanged() throws Exception {
        TcpProxy one = proxy();
        TcpProxy two = proxy();
        ZooKeeper client = client(one, Duration.ofSeconds(15));
        Election leader = candidate(client, "a");
        EventLog events = EventLog.of(leader);
        awaitLeader(leader);
        Election follower = candidate("b");
        awaitFollower(follower);

        client.updateServerList(two.address());
        one.cut();

        eventually().until(() -> client.getState() == ZooKeeper.States.CONNECTED);
        await().during(Duration.ofSeconds(6)).atMost(BOUND).until(leader::isLeader);
        await().untilAsserted(() -> assertThat(events.events()).containsExactly("granted 1"));
        leader.close();
        awaitLeader(follower);
    }

    @Test
    @Tag("F62")
    @DisplayName("F62: tokens grow when transaction numbers roll over into the next epoch")
    void transactionNumbersRollOver() {
        server.server().setZxid(0xffff_fff0L);
        var tokens = new CopyOnWriteArrayList<Long>();
        Election election = candidate("a");
        for (int i = 0; i < 8; i++) {
            awaitLeader(election);
            tokens.add(election.leadership().orElseThrow().fencingToken());
            election.stepDown();
        }

        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(tokens.get(7)).isGreaterThan(0x1_0000_0000L);
    }
}
