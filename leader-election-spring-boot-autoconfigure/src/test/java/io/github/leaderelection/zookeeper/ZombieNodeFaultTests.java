package io.github.leaderelection.zookeeper;

import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.DELAY_ANSWER;
import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.LOSE_ANSWER;
import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.LOSE_ANSWER_DELAY_REQUEST;
import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.LOSE_REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes whose candidate is gone or does not know them, and which would block the queue. */
class ZombieNodeFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F25")
    @DisplayName("F25: a node whose create lost its answer is found by its GUID and not created twice")
    void lostAnswerToTheCreate() {
        admin.createElection();
        LossyZooKeeper client = lossyClient();
        LossyZooKeeper.Fault lost = client.interceptNext(LOSE_ANSWER, ElectionTestSupport::createsCandidate);

        Election election = candidate(client, "a");

        awaitLeader(election);
        assertThat(lost.isTriggered()).isTrue();
        assertThat(admin.nodes()).hasSize(1);
        assertThat(candidateCreates(client.drainRequests())).isEqualTo(1);
    }

    @Test
    @Tag("F25")
    @DisplayName("F25: a connection that breaks between a create and its answer leaves one node")
    void connectionBrokenBeforeTheAnswer() {
        admin.createElection();
        TcpProxy proxy = proxy();
        ZooKeeperElections elections = over(client(proxy), options("a"));
        Election election = elections.election("orders", PATH);
        proxy.delay(300);

        election.nominate();
        eventually().until(() -> admin.nodes().size() == 1);
        proxy.cutOnce();
        proxy.delay(0);

        awaitLeader(election);
        assertThat(admin.nodes()).hasSize(1);
        assertThat(admin.nodes().get(0)).endsWith("-0000000000");
    }

    @Test
    @Tag("F26")
    @DisplayName("F26: a candidate adopts its node however often answers are lost")
    void answersLostAgainAndAgain() {
        admin.createElection();
        LossyZooKeeper client = lossyClient();
        client.interceptNext(LOSE_ANSWER, ElectionTestSupport::createsCandidate);
        List<LossyZooKeeper.Fault> lost = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 5; i++) {
            lost.add(client.interceptNext(LOSE_ANSWER, "getChildren"));
        }

        Election election = candidate(client, "a");

        awaitLeader(election);
        assertThat(lost).allMatch(LossyZooKeeper.Fault::isTriggered);
        assertThat(admin.nodes()).containsExactly(admin.holder());
        assertThat(candidateCreates(client.drainRequests())).isEqualTo(1);
    }

    @Test
    @Tag("F26")
    @DisplayName("F26: a create that never arrived is repeated as often as necessary")
    void requestsLostAgainAndAgain() {
        admin.createElection();
        LossyZooKeeper client = lossyClient();
        for (int i = 0; i < 3; i++) {
            client.interceptNext(LOSE_REQUEST, ElectionTestSupport::createsCandidate);
        }

        Election election = candidate(client, "a");

        awaitLeader(election);
        assertThat(admin.nodes()).hasSize(1);
        assertThat(candidateCreates(client.drainRequests())).isEqualTo(4);
    }

    @Test
    @Tag("F27")
    @DisplayName("F27: an interrupted thread can join and leave, and stays interrupted")
    void interruptedThread() throws Exception {
        Election election = over(client(), options("a")).election("orders", PATH);

        Future<Boolean> joined = inBackground(() -> {
            Thread.currentThread().interrupt();
            election.nominate();
            return Thread.currentThread().isInterrupted();
        });
        assertThat(joined.get(10, TimeUnit.SECONDS)).isTrue();
        awaitLeader(election);
        assertThat(admin.nodes()).hasSize(1);

        Future<Boolean> left = inBackground(() -> {
            Thread.currentThread().interrupt();
            election.close();
            return Thread.currentThread().isInterrupted();
        });
        assertThat(left.get(10, TimeUnit.SECONDS)).isTrue();
        eventually().untilAsserted(() -> assertThat(admin.nodes()).isEmpty());
    }

    @Test
    @Tag("F28")
    @DisplayName("F28: a lost create that is carried out after the search for it is cleaned up")
    void lateTwin() throws Exception {
        admin.createElection();
        LossyZooKeeper client = lossyClient();
        LossyZooKeeper.Fault late =
                client.interceptNext(LOSE_ANSWER_DELAY_REQUEST, ElectionTestSupport::createsCandidate);
        Election election = candidate(client, "a");
        awaitLeader(election);
        List<String> before = admin.nodes();
        List<String> log = client.drainRequests();
        String heartbeat = HEARTBEATS + "/" + admin.children(HEARTBEATS).get(0);

        late.release();

        eventually()
                .until(() -> admin.stat(PATH).getCversion() - admin.stat(PATH).getNumChildren() == 2);
        assertThat(admin.nodes()).isEqualTo(before).hasSize(1);
        assertThat(election.isLeader()).isTrue();
        assertThat(log.subList(firstCandidateCreate(log), lastCandidateCreate(log)))
                .as("requests between the two creates: a write through the quorum precedes the list")
                .containsSubsequence("multi " + heartbeat, "getChildren " + PATH);
    }

    private static int firstCandidateCreate(List<String> log) {
        return (int) log.stream()
                .takeWhile(entry -> !entry.startsWith("create " + PATH + "/c-"))
                .count();
    }

    private static int lastCandidateCreate(List<String> log) {
        List<String> creates = log.stream()
                .filter(entry -> entry.startsWith("create " + PATH + "/c-"))
                .toList();
        return log.lastIndexOf(creates.get(creates.size() - 1));
    }

    @Test
    @Tag("F28")
    @DisplayName("F28: a follower's late twin node is cleaned up at the next recheck")
    void twinOfAFollower() {
        Election leader = candidate("a");
        awaitLeader(leader);
        LossyZooKeeper client = lossyClient();
        LossyZooKeeper.Fault late =
                client.interceptNext(LOSE_ANSWER_DELAY_REQUEST, ElectionTestSupport::createsCandidate);
        Election follower = nominate(over(client, options("b").recheckInterval(Duration.ofMillis(300))));
        awaitFollower(follower);
        List<String> before = admin.nodes();

        late.release();

        eventually()
                .until(() -> admin.stat(PATH).getCversion() - admin.stat(PATH).getNumChildren() == 2);
        assertThat(admin.nodes()).isEqualTo(before).hasSize(2);
    }

    @Test
    @Tag("F29")
    @DisplayName("F29: a hand-over that never arrived is repeated on the same session, and the next candidate leads")
    void lostHandOver() {
        LossyZooKeeper client = lossyClient();
        Election leader = candidate(client, "a");
        awaitLeader(leader);
        Election next = candidate("b");
        awaitFollower(next);
        LossyZooKeeper.Fault lost = client.interceptNext(LOSE_REQUEST, "multi");

        Resignation resignation = leader.resign();

        assertThat(lost.isTriggered()).isTrue();
        assertThat(resignation.outcome()).isEqualTo(Resignation.Outcome.CONFIRMED);
        awaitLeader(next);
        assertThat(admin.nodes()).containsExactly(admin.holder());
        assertThat(client.getState()).isEqualTo(ZooKeeper.States.CONNECTED);
    }

    @Test
    @Tag("F29")
    @DisplayName("F29: a resignation without a connection is reported as unconfirmed, and completed on reconnect")
    void resignedWhileCutOff() throws Exception {
        TcpProxy proxy = proxy();
        ZooKeeper client = client(proxy, Duration.ofSeconds(30));
        Election leader = nominate(over(
                client,
                options("a")
                        .failFast(false)
                        .connectionTimeout(Duration.ofMillis(500))
                        .drainTimeout(Duration.ofMillis(500))));
        awaitLeader(leader);
        Election next = candidate("b");
        awaitFollower(next);
        long session = client.getSessionId();
        proxy.cut();

        Resignation resignation = leader.resign();
        assertThat(resignation.outcome()).isEqualTo(Resignation.Outcome.UNCONFIRMED);
        assertThat(resignation.until()).isAfter(Instant.now().plusSeconds(20));
        assertThat(admin.nodes()).hasSize(2);
        proxy.open();

        awaitLeader(next);
        assertThat(admin.nodes()).containsExactly(admin.holder());
        assertThat(client.getSessionId()).isEqualTo(session);
    }

    @Test
    @Tag("F30")
    @DisplayName("F30: a candidate that is closed while its create is in flight leaves no node")
    void closedDuringTheCreate() {
        TcpProxy proxy = proxy();
        Election election = over(client(proxy), options("a")).election("orders", PATH);
        leadOnceAndLeave(election);
        proxy.delay(200);

        election.nominate();
        election.close();

        assertThat(admin.nodes()).isEmpty();
        await().during(Duration.ofSeconds(1))
                .atMost(BOUND)
                .until(() -> admin.nodes().isEmpty());
        assertThat(admin.stat(PATH).getCversion())
                .as("changes: two creates and deletes, and the record")
                .isEqualTo(5);
    }

    /** Joins and leaves once, so that the path and the record exist. */
    private static void leadOnceAndLeave(Election election) {
        election.nominate();
        awaitLeader(election);
        election.withdraw();
    }

    @Test
    @Tag("F30")
    @DisplayName("F30: the answer to a create that arrives after the close has no effect")
    void answerAfterTheClose() {
        admin.createElection();
        LossyZooKeeper client = lossyClient();
        LossyZooKeeper.Fault late = client.interceptNext(DELAY_ANSWER, ElectionTestSupport::createsCandidate);
        ZooKeeperElections elections = over(client, options("a"));
        Election election = nominate(elections);
        eventually().until(() -> admin.nodes().size() == 1);

        elections.close();
        assertThat(admin.nodes()).isEmpty();
        client.drainRequests();
        late.release();

        assertThat(election.role()).isEqualTo(Role.CLOSED);
        await().during(Duration.ofMillis(500))
                .atMost(BOUND)
                .until(() -> admin.nodes().isEmpty());
        assertThat(client.drainRequests()).isEmpty();
    }

    @Test
    @Tag("F33")
    @DisplayName(
            "F33: a candidate closed without a connection keeps its node until the session expires, and says until when")
    void closedWhileCutOff() {
        TcpProxy proxy = proxy();
        ZooKeeperElections elections = over(
                sessions(proxy.address()),
                options("a").connectionTimeout(Duration.ofSeconds(2)).drainTimeout(Duration.ofMillis(200)));
        Election leader = nominate(elections);
        awaitLeader(leader);
        Election next = candidate("b");
        awaitFollower(next);
        List<String> before = admin.nodes();
        proxy.cut();

        Instant called = Instant.now();
        Resignation resignation = leader.resign();
        assertThat(resignation.outcome()).isEqualTo(Resignation.Outcome.UNCONFIRMED);
        assertThat(resignation.until()).isAfter(called.plus(SESSION));
        elections.close();

        awaitLeader(next);
        assertThat(admin.nodes()).containsExactly(before.get(1));
        proxy.open();
        await().during(Duration.ofMillis(500))
                .atMost(BOUND)
                .until(() -> admin.nodes().equals(before.subList(1, 2)));
    }

    @Test
    @Tag("F33")
    @DisplayName("F33: elections and their threads end if the application closes their connection first")
    void applicationClosesTheConnectionFirst() throws Exception {
        TcpProxy proxy = proxy();
        ZooKeeper client = client(proxy);
        ZooKeeperElections elections = over(
                client,
                options("a")
                        .failFast(false)
                        .connectionTimeout(Duration.ofMillis(300))
                        .drainTimeout(Duration.ofMillis(200)));
        Election leader = nominate(elections);
        awaitLeader(leader);
        proxy.cut();

        elections.close();
        assertThat(admin.nodes()).as("nodes after an unconfirmed close").hasSize(1);
        client.close();

        eventually().untilAsserted(() -> assertThat(electionThreads()).isEmpty());
        eventually().untilAsserted(() -> assertThat(admin.nodes()).isEmpty());
    }

    @Test
    @Tag("F34")
    @Tag("F35")
    @DisplayName(
            "F34, F35: an expiry that only the clients noticed delays the next leader by a lease, not by a session")
    void clientSideExpiry() {
        // R41. No test waits for so long, so a leader that it sees has not waited for the end of a session.
        Duration session = BOUND.multipliedBy(2);
        List<Election> elections = new ArrayList<>();
        List<ZooKeeper> clients = new CopyOnWriteArrayList<>();
        List<EventLog> events = new ArrayList<>();
        for (String id : List.of("a", "b")) {
            ZooKeeperSessions sessions = watcher -> {
                var client = new ZooKeeper(server.address(), (int) session.toMillis(), watcher);
                clients.add(client);
                return client;
            };
            Election election = nominate(over(sessions, options(id).lease(Duration.ofSeconds(1))));
            elections.add(election);
            events.add(EventLog.of(election));
            awaitLeader(elections.get(0));
            admin.awaitNodes(elections.size());
        }
        List<String> old = admin.nodes();
        long token = elections.get(0).leadership().orElseThrow().fencingToken();

        for (ZooKeeper client : List.copyOf(clients)) {
            client.getTestable().injectSessionExpiration();
        }

        eventually()
                .until(() -> elections.stream().anyMatch(Election::isLeader)
                        && events.get(0).events().contains("revoked 1 SESSION_EXPIRED"));
        eventually().untilAsserted(() -> assertThat(admin.nodes()).hasSize(2).doesNotContainAnyElementsOf(old));
        Election leader =
                elections.stream().filter(Election::isLeader).findFirst().orElseThrow();
        assertThat(leader.leadership().orElseThrow().fencingToken()).isGreaterThan(token);
    }

    @Test
    @Tag("F36")
    @DisplayName("F36: a persistent node that looks like a candidate's is reported and waited for, not deleted")
    void persistentForeignNode() throws Exception {
        leadOnceAndLeave(candidate("first"));
        String foreign = admin.create(PATH + "/c-ghost-", CreateMode.PERSISTENT_SEQUENTIAL);

        Election election = over(client(), options("a")).election("orders", PATH);
        EventLog events = EventLog.of(election);
        election.nominate();

        eventually().until(() -> election.status().error().isPresent());
        assertThat(election.status().error().orElseThrow())
                .contains(
                        "Blocked by " + foreign,
                        Instant.ofEpochMilli(admin.stat(foreign).getCtime()).toString(),
                        "0x0");
        eventually().until(() -> !events.failures().isEmpty());
        await().during(Duration.ofMillis(500)).atMost(BOUND).until(() -> !election.isLeader() && admin.exists(foreign));

        admin.delete(foreign);
        awaitLeader(election);
        assertThat(election.status().error()).isEmpty();
    }

    @Test
    @Tag("F36")
    @DisplayName("F36: a first candidate that does not lead is reported with its session")
    void ephemeralForeignNode() throws Exception {
        leadOnceAndLeave(candidate("first"));
        ZooKeeper owner = client();
        String foreign = owner.create(
                PATH + "/c-ghost-", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);

        Election election = nominate(over(client(), options("a").recheckInterval(Duration.ofMillis(200))));

        eventually().until(() -> election.status().error().isPresent());
        assertThat(election.status().error().orElseThrow())
                .contains("Blocked by " + foreign, "0x" + Long.toHexString(owner.getSessionId()));
        assertThat(admin.exists(foreign)).isTrue();
        owner.close();
        awaitLeader(election);
    }
}
