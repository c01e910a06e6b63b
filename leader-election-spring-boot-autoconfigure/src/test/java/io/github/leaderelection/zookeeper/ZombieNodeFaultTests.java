package io.github.leaderelection.zookeeper;

import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.DELAY_ANSWER;
import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.LOSE_ANSWER;
import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.LOSE_ANSWER_DELAY_REQUEST;
import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.LOSE_REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that nobody stands for, and that would keep everybody else from leading. */
class ZombieNodeFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F25")
    @DisplayName("F25: a create whose answer was lost is found by its GUID, not made a second time")
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
    @DisplayName("F25: a connection that breaks between the create and its answer leaves one node")
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
    @DisplayName("F26: however often the answers are lost, the node is claimed by the one who made it")
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
    @DisplayName("F26: a create that never arrived is asked for again, however often that happens")
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
    @DisplayName("F27: an interrupted thread joins and leaves as any other, and stays interrupted")
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
    @DisplayName("F28: a lost create that is carried out after we looked for it is cleaned up")
    void twinThatComesLate() throws Exception {
        admin.createElection();
        LossyZooKeeper client = lossyClient();
        LossyZooKeeper.Fault late =
                client.interceptNext(LOSE_ANSWER_DELAY_REQUEST, ElectionTestSupport::createsCandidate);
        Election election = candidate(client, "a");
        awaitLeader(election);
        List<String> before = admin.nodes();
        List<String> log = client.drainRequests();
        String heartbeat = "/elections/.beats/"
                + admin.client().getChildren("/elections/.beats", false).get(0);

        late.release();

        eventually()
                .until(() -> admin.stat(PATH).getCversion() - admin.stat(PATH).getNumChildren() == 2);
        assertThat(admin.nodes()).isEqualTo(before).hasSize(1);
        assertThat(election.isLeader()).isTrue();
        assertThat(log.subList(firstCandidateCreate(log), lastCandidateCreate(log)))
                .as("a lagging server must not hide the node: a write through the quorum comes before the list")
                .containsSubsequence("setData " + heartbeat, "getChildren " + PATH);
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
    @DisplayName("F28: a follower's late twin is cleaned up at the next check")
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
    @DisplayName("F29: a hand-over that never arrived is repeated on the same session, and the next one leads")
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
    @DisplayName("F29: a resignation without a connection is told to be unconfirmed and done as soon as there is one")
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
    @DisplayName("F30: closed while the create is under way, no node is left")
    void closedDuringTheCreate() {
        TcpProxy proxy = proxy();
        Election election = over(client(proxy), options("a")).election("orders", PATH);
        awaitNodeOf(election);
        proxy.delay(200);

        election.nominate();
        election.close();

        assertThat(admin.nodes()).isEmpty();
        await().during(Duration.ofSeconds(1))
                .atMost(BOUND)
                .until(() -> admin.nodes().isEmpty());
        assertThat(admin.stat(PATH).getCversion())
                .as("the node was created and deleted again")
                .isEqualTo(5);
    }

    /** Joins and leaves once, so that the path and the record are there. */
    private static void awaitNodeOf(Election election) {
        election.nominate();
        awaitLeader(election);
        election.withdraw();
    }

    @Test
    @Tag("F30")
    @DisplayName("F30: the answer to a create that comes after the close changes nothing")
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
    @Tag("F31")
    @DisplayName("F31: the node is there until the revoked listener has run")
    void revokedBeforeTheNodeGoes() throws Exception {
        Election leader = candidate("a");
        awaitLeader(leader);
        Election next = candidate("b");
        awaitFollower(next);
        String node = PATH + "/" + admin.nodes().get(0);
        var entered = new CountDownLatch(1);
        var mayReturn = new CountDownLatch(1);
        leader.addListener(new ElectionListener() {
            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                entered.countDown();
                awaitUninterrupted(mayReturn);
            }
        });

        Future<Resignation> resignation = inBackground(leader::resign);
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        await().during(Duration.ofMillis(500))
                .atMost(BOUND)
                .until(() -> admin.exists(node) && !next.isLeader() && !leader.isLeader());
        mayReturn.countDown();

        assertThat(resignation.get(10, TimeUnit.SECONDS).outcome()).isEqualTo(Resignation.Outcome.CONFIRMED);
        assertThat(admin.exists(node)).isFalse();
        awaitLeader(next);
    }

    @Test
    @Tag("F32")
    @DisplayName("F32: leadership is handed over only after the leader's work has ended")
    void drainedBeforeTheHandOver() throws Exception {
        Election leader = candidate("a");
        awaitLeader(leader);
        Election next = candidate("b");
        awaitFollower(next);
        var working = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        Future<Boolean> work = inBackground(() -> leader.runIfLeader(term -> {
            working.countDown();
            awaitUninterrupted(mayEnd);
        }));
        assertThat(working.await(10, TimeUnit.SECONDS)).isTrue();

        Future<?> stepDown = inBackground(leader::stepDown);
        eventually().until(() -> !leader.isLeader());
        await().during(Duration.ofMillis(500)).atMost(BOUND).until(() -> !next.isLeader() && !stepDown.isDone());
        mayEnd.countDown();

        stepDown.get(10, TimeUnit.SECONDS);
        assertThat(work.get(10, TimeUnit.SECONDS)).isTrue();
        awaitLeader(next);
    }

    @Test
    @Tag("F32")
    @DisplayName(
            "F32: work that does not end holds the hand-over up no longer than the drain time-out, and is interrupted")
    void workWithoutEnd() throws Exception {
        Election leader = nominate(over(client(), options("a").drainTimeout(Duration.ofMillis(300))));
        awaitLeader(leader);
        Election next = candidate("b");
        awaitFollower(next);
        var working = new CountDownLatch(1);
        var interrupted = new AtomicBoolean();
        Future<Boolean> work = inBackground(() -> leader.runIfLeader(term -> {
            working.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException told) {
                interrupted.set(true);
            }
        }));
        assertThat(working.await(10, TimeUnit.SECONDS)).isTrue();

        leader.stepDown();

        awaitLeader(next);
        assertThat(work.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(interrupted).isTrue();
    }

    @Test
    @Tag("F33")
    @DisplayName(
            "F33: closed without a connection, the node lives as long as its session, and the caller is told until when")
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
    @DisplayName("F33: a connection that is closed under its elections ends them, their threads too")
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
        assertThat(admin.nodes()).as("what can't be confirmed is still there").hasSize(1);
        client.close();

        eventually().untilAsserted(() -> assertThat(electionThreads()).isEmpty());
        eventually().untilAsserted(() -> assertThat(admin.nodes()).isEmpty());
    }

    @Test
    @Tag("F34")
    @Tag("F35")
    @DisplayName(
            "F34, F35: after an expiry that only the client knows of, the old node counts as another's until it is gone")
    void clientSideExpiry() {
        var clients = new CopyOnWriteArrayList<ZooKeeper>();
        ZooKeeperSessions sessions = watcher -> {
            clients.add(new ZooKeeper(server.address(), (int) SESSION.toMillis(), watcher));
            return clients.get(clients.size() - 1);
        };
        Election election = nominate(over(sessions, options("a")));
        EventLog events = EventLog.of(election);
        awaitLeader(election);
        String old = admin.nodes().get(0);
        long token = election.leadership().orElseThrow().fencingToken();
        long oldSession = clients.get(0).getSessionId();

        clients.get(0).getTestable().injectSessionExpiration();

        eventually().until(() -> election.status().following().equals(Optional.of(old)));
        assertThat(election.isLeader()).isFalse();
        assertThat(admin.stat(PATH + "/" + old).getEphemeralOwner()).isEqualTo(oldSession);
        awaitLeader(election);
        assertThat(admin.nodes()).hasSize(1).doesNotContain(old);
        assertThat(admin.stat(PATH + "/" + admin.nodes().get(0)).getEphemeralOwner())
                .isEqualTo(clients.get(1).getSessionId());
        assertThat(election.leadership().orElseThrow().fencingToken()).isGreaterThan(token);
        await().untilAsserted(() ->
                assertThat(events.events()).containsExactly("granted 1", "revoked 1 SESSION_EXPIRED", "granted 2"));
    }

    @Test
    @Tag("F36")
    @DisplayName("F36: a look-alike that no session owns is reported, not deleted, and waited for")
    void persistentLookAlike() throws Exception {
        awaitNodeOf(candidate("first"));
        String ghost = admin.create(PATH + "/c-ghost-", CreateMode.PERSISTENT_SEQUENTIAL);

        Election election = over(client(), options("a")).election("orders", PATH);
        EventLog events = EventLog.of(election);
        election.nominate();

        eventually().until(() -> election.status().error().isPresent());
        assertThat(election.status().error().orElseThrow())
                .contains(
                        "Blocked by " + ghost,
                        Instant.ofEpochMilli(admin.stat(ghost).getCtime()).toString(),
                        "0x0");
        eventually().until(() -> !events.failures().isEmpty());
        await().during(Duration.ofMillis(500)).atMost(BOUND).until(() -> !election.isLeader() && admin.exists(ghost));

        admin.delete(ghost);
        awaitLeader(election);
        assertThat(election.status().error()).isEmpty();
    }

    @Test
    @Tag("F36")
    @DisplayName("F36: a candidate of a living session that is first and does not lead is reported with its owner")
    void ephemeralGhost() throws Exception {
        awaitNodeOf(candidate("first"));
        ZooKeeper owner = client();
        String ghost = owner.create(
                PATH + "/c-ghost-", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);

        Election election = nominate(over(client(), options("a").recheckInterval(Duration.ofMillis(200))));

        eventually().until(() -> election.status().error().isPresent());
        assertThat(election.status().error().orElseThrow())
                .contains("Blocked by " + ghost, "0x" + Long.toHexString(owner.getSessionId()));
        assertThat(admin.exists(ghost)).isTrue();
        owner.close();
        awaitLeader(election);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
