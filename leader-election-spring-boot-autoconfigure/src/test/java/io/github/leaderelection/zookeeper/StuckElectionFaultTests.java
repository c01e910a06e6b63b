package io.github.leaderelection.zookeeper;

import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.DELAY_ANSWER;
import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.DELAY_REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Situations in which elections have been known to stay without a leader. */
class StuckElectionFaultTests extends ElectionTestSupport {

    @Test
    @DisplayName("A connection that is replaced while it is alive leaves no node in the queue")
    void replacedConnectionIsAlive() {
        ZooKeeper old = client();
        ZooKeeperElections elections = over(old, options("a"));
        Election first = nominate(elections);
        awaitLeader(first);
        ZooKeeperElections others = over(client(), options("b"));
        Election second = nominate(others);
        awaitFollower(second);

        others.reconnect(client());
        eventually().until(() -> admin.nodes().size() == 2 && second.role() == Role.FOLLOWER);
        elections.reconnect(client());

        awaitLeader(second);
        eventually().until(() -> admin.nodes().size() == 2 && first.role() == Role.FOLLOWER);
        second.close();
        awaitLeader(first);
        assertThat(old.getState().isConnected())
                .as("the application's connection, which is never closed")
                .isTrue();
    }

    @Test
    @Tag("F92")
    @DisplayName("F92: a connection that is replaced while it is alive is left only after leader-only work has drained")
    void replacedConnectionDrains() throws Exception {
        ZooKeeperElections elections = over(client(), options("a"));
        Election election = nominate(elections);
        awaitLeader(election);
        String node = admin.nodes().get(0);
        var mayEnd = new CountDownLatch(1);
        Future<?> work = work(election, mayEnd);

        elections.reconnect(client());
        eventually().until(() -> !election.isLeader());
        assertThat(admin.nodes()).containsExactly(node);
        mayEnd.countDown();

        work.get();
        awaitLeader(election);
        assertThat(admin.nodes()).doesNotContain(node).hasSize(1);
    }

    @Test
    @Tag("F92")
    @DisplayName("F92: a create that is under way on a connection that is replaced leaves no node behind")
    void replacedConnectionWhileJoining() throws Exception {
        admin.createElection();
        LossyZooKeeper old = lossyClient();
        ZooKeeperElections elections = over(old, options("a"));
        var create = old.interceptNext(Fate.DELAY_ANSWER, ElectionTestSupport::createsCandidate);
        Election election = nominate(elections);
        eventually().until(create::isTriggered);
        admin.awaitNodes(1);
        String node = admin.nodes().get(0);

        elections.reconnect(client());
        create.release();

        awaitLeader(election);
        assertThat(admin.nodes()).doesNotContain(node).hasSize(1);
    }

    @Test
    @Tag("F93")
    @DisplayName("F93: a candidate whose node is deleted again and again is back in the queue soon each time")
    void joinsAfreshAgainAndAgain() throws Exception {
        Election leader = candidate("leader");
        awaitLeader(leader);
        Election follower = candidate("follower");
        awaitFollower(follower);

        // A pause that is doubled each time would reach the bound of a single wait.
        for (int round = 0; round < 8; round++) {
            admin.awaitNodes(2);
            String node = admin.nodes().get(1);
            admin.delete(PATH + "/" + node);
            eventually().until(() -> admin.nodes().size() == 2 && !admin.nodes().contains(node));
        }

        leader.close();
        awaitLeader(follower);
    }

    @Test
    @DisplayName(
            "A record copied from another ensemble, with a token ahead of this one's numbers, does not block: tokens go on from it")
    void recordFromElsewhere() throws Exception {
        admin.createElection();
        byte[] record = LeaderRecord.released(1L << 60, 2_000).toJson();
        admin.create(RECORD, record);
        Election election = candidate("a");

        awaitLeader(election);
        long token = election.leadership().orElseThrow().fencingToken();
        assertThat(token).isEqualTo((1L << 60) + 1);
        election.stepDown();
        awaitLeader(election);
        assertThat(election.leadership().orElseThrow().fencingToken()).isGreaterThan(token);
    }

    @Test
    @DisplayName("A record of a later version keeps this one from leading, which is reported")
    void recordOfALaterVersion() throws Exception {
        admin.createElection();
        admin.create(RECORD, "{\"version\":2,\"state\":\"SHARED\"}".getBytes(StandardCharsets.UTF_8));
        Election election = candidate("a");

        eventually().until(() -> election.status().error().isPresent());
        assertThat(election.status().error().orElseThrow()).contains(RECORD, "later version", "Update");
        assertThat(election.isLeader()).isFalse();
        admin.write(RECORD, LeaderRecord.released(1, 2_000).toJson());

        awaitLeader(election);
        assertThat(election.status().error()).isEmpty();
    }

    @Test
    @Tag("F41")
    @DisplayName("F41: a second step-down during the first one is refused, and the candidate still rejoins")
    void secondStepDown() throws Exception {
        Election election = candidate("a");
        EventLog events = EventLog.of(election);
        awaitLeader(election);
        var mayEnd = new CountDownLatch(1);
        Future<?> work = work(election, mayEnd);
        Future<?> first = inBackground(election::stepDown);
        eventually().until(() -> !election.isLeader());

        assertThatThrownBy(election::stepDown).isInstanceOf(IllegalStateException.class);
        assertThat(election.role()).isEqualTo(Role.CANDIDATE);
        mayEnd.countDown();

        first.get(10, TimeUnit.SECONDS);
        work.get(10, TimeUnit.SECONDS);
        awaitLeader(election);
        eventually().until(() -> events.events().size() == 3);
        await().untilAsserted(() ->
                assertThat(events.events()).containsExactly("granted 1", "revoked 1 STEPPED_DOWN", "granted 2"));
        assertThat(admin.nodes()).hasSize(1);
    }

    @Test
    @Tag("F41")
    @DisplayName("F41: a nomination during a withdrawal takes effect when the withdrawal is complete")
    void nominatedWhileWithdrawing() throws Exception {
        Election election = candidate("a");
        awaitLeader(election);
        var mayEnd = new CountDownLatch(1);
        Future<?> work = work(election, mayEnd);
        Future<?> withdrawal = inBackground(election::withdraw);
        eventually().until(() -> !election.isLeader());

        election.nominate();
        mayEnd.countDown();

        withdrawal.get(10, TimeUnit.SECONDS);
        work.get(10, TimeUnit.SECONDS);
        awaitLeader(election);
        assertThat(admin.nodes()).hasSize(1);
    }

    @Test
    @Tag("F41")
    @DisplayName("F41: a resignation during a step-down leaves no node")
    void resignedWhileSteppingDown() throws Exception {
        Election election = candidate("a");
        awaitLeader(election);
        var mayEnd = new CountDownLatch(1);
        Future<?> work = work(election, mayEnd);
        Future<?> stepDown = inBackground(election::stepDown);
        eventually().until(() -> !election.isLeader());

        Future<?> resignation = inBackground(election::resign);
        eventually().until(() -> election.role() == Role.CLOSED);
        mayEnd.countDown();

        work.get(10, TimeUnit.SECONDS);
        stepDown.get(10, TimeUnit.SECONDS);
        resignation.get(10, TimeUnit.SECONDS);
        await().during(Duration.ofMillis(300))
                .atMost(BOUND)
                .until(() -> admin.nodes().isEmpty());
    }

    private Future<?> work(Election election, CountDownLatch mayEnd) throws InterruptedException {
        var working = new CountDownLatch(1);
        Future<?> work = inBackground(() -> election.runIfLeader(term -> {
            working.countDown();
            try {
                mayEnd.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        assertThat(working.await(10, TimeUnit.SECONDS)).isTrue();
        return work;
    }

    @Test
    @Tag("F42")
    @DisplayName(
            "F42: a predecessor that disappears between list and watch does not make the follower create a new node")
    void predecessorGoneBeforeTheWatch() {
        Election first = candidate("a");
        awaitLeader(first);
        String predecessor = PATH + "/" + admin.nodes().get(0);
        LossyZooKeeper client = lossyClient();
        LossyZooKeeper.Fault held = client.interceptNext(
                DELAY_REQUEST, (operation, path) -> operation.equals("getData") && path.equals(predecessor));
        Election second = candidate(client, "b");
        eventually().until(held::isTriggered);

        first.close();
        held.release();

        awaitLeader(second);
        assertThat(candidateCreates(client.drainRequests())).isEqualTo(1);
        assertThat(admin.nodes()).hasSize(1);
    }

    @Test
    @Tag("F42")
    @DisplayName("F42: when all predecessors disappear at once, one of the others leads and none creates a new node")
    void allPredecessorsGone() throws Exception {
        List<Election> others = new CopyOnWriteArrayList<>();
        for (String id : List.of("a", "b", "c")) {
            Election election = candidate(id);
            others.add(election);
            eventually().until(() -> election.isLeader() || election.role() == Role.FOLLOWER);
        }
        LossyZooKeeper fourth = lossyClient();
        LossyZooKeeper fifth = lossyClient();
        Election d = candidate(fourth, "d");
        awaitFollower(d);
        Election e = candidate(fifth, "e");
        awaitFollower(e);

        List<Future<?>> closing = new ArrayList<>();
        others.forEach(election -> closing.add(inBackground(election::close)));

        awaitLeader(d);
        eventually().until(() -> e.role() == Role.FOLLOWER && admin.nodes().size() == 2);
        assertThat(candidateCreates(fourth.drainRequests())).isEqualTo(1);
        assertThat(candidateCreates(fifth.drainRequests())).isEqualTo(1);
        for (Future<?> close : closing) {
            close.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    @Tag("F43")
    @DisplayName(
            "F43: after repeated cuts of about a session timeout, connection and leadership are still known correctly")
    void cutsNearTheTimeout() {
        TcpProxy proxy = proxy();
        Election election = nominate(over(watcher -> new ZooKeeper(proxy.address(), 1_500, watcher), options("a")));
        EventLog events = EventLog.of(election);
        awaitLeader(election);
        int[] cutFor = {1_300, 1_500, 1_700, 1_400};

        for (int millis : cutFor) {
            proxy.cut();
            long until = System.nanoTime() + millis * 1_000_000L;
            await().pollInterval(Duration.ofMillis(5)).atMost(BOUND).until(() -> System.nanoTime() - until >= 0);
            assertThat(election.isLeader())
                    .as("leader after a cut of %d ms, longer than the lease", millis)
                    .isFalse();
            proxy.open();
            awaitLeader(election);
        }

        assertThat(election.role()).isEqualTo(Role.LEADER);
        assertThat(admin.nodes()).containsExactly(admin.holder());
        eventually().untilAsserted(() -> assertThat(events.events()).hasSize(2 * cutFor.length + 1));
        for (int i = 0; i < events.events().size(); i++) {
            assertThat(events.events().get(i)).startsWith(i % 2 == 0 ? "granted" : "revoked");
        }
        assertThat(election.candidates()).hasSize(1);
    }

    @Test
    @Tag("F44")
    @DisplayName("F44: a candidate that disappears between the list and the read is left out without an error")
    void candidateGoneWhileListing() throws Exception {
        Election first = candidate("a");
        awaitLeader(first);
        Election second = candidate("b");
        awaitFollower(second);
        String last = admin.nodes().get(1);
        LossyZooKeeper client = lossyClient();
        Election observer = over(client, options("c")).election("orders", PATH);
        LossyZooKeeper.Fault held = client.interceptNext(
                DELAY_REQUEST, (operation, path) -> operation.equals("getData") && path.endsWith(last));

        Future<List<Candidate>> candidates = inBackground(observer::candidates);
        eventually().until(held::isTriggered);
        second.close();
        held.release();

        assertThat(candidates.get(10, TimeUnit.SECONDS))
                .extracting(Candidate::id)
                .containsExactly("a");
    }

    @Test
    @Tag("F44")
    @DisplayName(
            "F44: a leader that disappears between the record and its node is reported as no leader, without an error")
    void leaderGoneWhileReading() throws Exception {
        Election first = candidate("a");
        awaitLeader(first);
        LossyZooKeeper client = lossyClient();
        Election observer = over(client, options("c")).election("orders", PATH);
        LossyZooKeeper.Fault held = client.interceptNext(
                DELAY_REQUEST, (operation, path) -> operation.equals("getData") && path.contains("/c-"));

        Future<?> leader = inBackground(() -> assertThat(observer.leader()).isEmpty());
        eventually().until(held::isTriggered);
        first.close();
        held.release();

        leader.get(10, TimeUnit.SECONDS);
        assertThat(observer.candidates()).isEmpty();
        admin.deleteAll(PATH);
        assertThat(observer.leader()).isEmpty();
        assertThat(observer.candidates()).isEmpty();
    }

    @Test
    @Tag("F45")
    @DisplayName("F45: after two expiries in a row, the only node belongs to the last session")
    void expiredTwice() {
        var clients = new CopyOnWriteArrayList<LossyZooKeeper>();
        var held = new CopyOnWriteArrayList<LossyZooKeeper.Fault>();
        ZooKeeperSessions sessions = watcher -> {
            var client = new LossyZooKeeper(server.address(), (int) SESSION.toMillis(), watcher);
            if (clients.size() == 1) {
                held.add(client.interceptNext(DELAY_ANSWER, ElectionTestSupport::createsCandidate));
            }
            clients.add(client);
            return client;
        };
        Election election = nominate(over(sessions, options("a")));
        awaitLeader(election);

        server.expire(clients.get(0));
        eventually().until(() -> !held.isEmpty() && held.get(0).isTriggered());
        server.expire(clients.get(1));
        eventually().until(() -> clients.size() == 3);
        held.get(0).release();

        awaitLeader(election);
        assertThat(admin.nodes()).hasSize(1);
        assertThat(admin.stat(PATH + "/" + admin.nodes().get(0)).getEphemeralOwner())
                .isEqualTo(clients.get(2).getSessionId());
        await().during(Duration.ofMillis(500))
                .atMost(BOUND)
                .until(() -> election.isLeader() && admin.nodes().size() == 1);
    }

    @Test
    @Tag("F46")
    @DisplayName(
            "F46: a leader whose listener keeps failing makes way for the next one, and retries after growing pauses")
    void listenerThatKeepsFailing() {
        Election failing = over(client(), options("a")).election("orders", PATH);
        var grants = new CopyOnWriteArrayList<Long>();
        EventLog events = new EventLog() {
            @Override
            public void granted(Leadership term) {
                super.granted(term);
                grants.add(System.nanoTime());
                throw new IllegalStateException("not ready");
            }
        };
        failing.addListener(events);
        failing.nominate();

        eventually().until(() -> grants.size() == 4);
        assertThat(events.events())
                .contains("revoked 1 LISTENER_FAILED")
                .noneMatch(event -> event.endsWith("CONNECTION_LOST"));
        assertThat(Duration.ofNanos(grants.get(3) - grants.get(2)))
                .as("the third pause, where the first one is 250 ms")
                .isGreaterThan(Duration.ofMillis(900));

        Election next = candidate("b");
        awaitLeader(next);
        int before = grants.size();
        awaitFollower(failing);
        await().during(Duration.ofSeconds(1)).atMost(BOUND).until(() -> next.isLeader() && grants.size() == before);
    }
}
