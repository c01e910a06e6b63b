package io.github.leaderelection.zookeeper;

import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.DELAY_REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The path of an election is missing, or disappears while the election runs. */
class MissingPathFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F37")
    @Tag("F38")
    @DisplayName(
            "F37, F38: a server that lost its data refuses the old session; a new session creates the path again and leads")
    void emptyServerOnTheSamePort() {
        var clients = new CopyOnWriteArrayList<ZooKeeper>();
        ZooKeeperSessions sessions = watcher -> {
            clients.add(new ZooKeeper(server.address(), 1_500, watcher));
            return clients.get(clients.size() - 1);
        };
        // Not monitored: an empty server starts with low tokens again.
        Election election = over(sessions, options("a")).election("orders", PATH);
        EventLog events = EventLog.of(election);
        election.nominate();
        awaitLeader(election);
        long before = clients.get(0).getSessionId();

        server.stop();
        server.startEmpty();

        eventually().until(() -> events.terms().size() == 2 && election.isLeader());
        assertThat(clients).hasSizeGreaterThan(1);
        ZooKeeper last = clients.get(clients.size() - 1);
        assertThat(last.getSessionId()).isNotEqualTo(before);
        assertThat(admin.nodes()).hasSize(1);
        assertThat(admin.stat(PATH + "/" + admin.nodes().get(0)).getEphemeralOwner())
                .isEqualTo(last.getSessionId());
        assertThat(events.events()).startsWith("granted 1").doesNotContain("ended");
        // The client that was refused is closed.
        eventually().until(() -> clients.get(0).getState() == ZooKeeper.States.CLOSED);
    }

    @Test
    @Tag("F37")
    @DisplayName("F37: a path that was deleted while the session expired is created again by the next session")
    void pathDeletedWhileExpired() {
        TcpProxy proxy = proxy();
        Election election = nominate(over(sessions(proxy.address()), options("a")));
        EventLog events = EventLog.of(election);
        awaitLeader(election);
        String node = admin.nodes().get(0);
        proxy.cut();
        eventually().until(() -> !admin.exists(PATH + "/" + node));
        admin.deleteAll("/elections");

        proxy.open();

        eventually().until(() -> events.terms().size() == 2 && election.isLeader());
        assertThat(admin.nodes()).containsExactly(admin.holder());
        assertThat(events.events()).doesNotContain("ended");
        assertThat(events.terms().get(1).fencingToken())
                .isGreaterThan(events.terms().get(0).fencingToken());
    }

    @Test
    @Tag("F37")
    @DisplayName("F37: without permission to create paths, a missing path is reported, and joined as soon as it exists")
    void missingPathThatMayNotBeCreated() {
        TcpProxy proxy = proxy();
        admin.createElection();
        Election election =
                nominate(over(sessions(proxy.address()), options("a").createPaths(false)));
        EventLog events = EventLog.of(election);
        awaitLeader(election);
        String node = admin.nodes().get(0);
        proxy.cut();
        eventually().until(() -> !admin.exists(PATH + "/" + node));
        admin.deleteAll(PATH);
        proxy.open();

        eventually().until(() -> !events.failures().isEmpty());
        assertThat(events.failures().get(0))
                .isInstanceOf(ElectionNotFoundException.class)
                .hasMessageContaining(PATH);
        assertThat(admin.exists(PATH)).isFalse();
        admin.create(PATH);

        eventually().until(() -> events.terms().size() == 2 && election.isLeader());
        assertThat(election.status().error()).isEmpty();
    }

    @Test
    @Tag("F39")
    @DisplayName("F39: a path that is reaped before the candidate's node is created is created again")
    void pathReapedBeforeTheCreate() {
        LossyZooKeeper client = lossyClient();
        Election election = over(client, options("a")).election("orders", PATH);
        // The first create finds no path; the second one follows after the path was created.
        LossyZooKeeper.Fault first = client.interceptNext(DELAY_REQUEST, ElectionTestSupport::createsCandidate);
        election.nominate();
        eventually().until(first::isTriggered);
        LossyZooKeeper.Fault second = client.interceptNext(DELAY_REQUEST, ElectionTestSupport::createsCandidate);
        first.release();
        eventually().until(() -> second.isTriggered() && admin.exists(PATH));
        admin.deleteAll(PATH);

        second.release();

        awaitLeader(election);
        assertThat(admin.nodes()).containsExactly(admin.holder());
    }

    @Test
    @Tag("F39")
    @DisplayName("F39: a path that was reaped restarts its sequence, but tokens keep growing")
    void reapedAndCreatedAgain() {
        Election first = candidate("a");
        awaitLeader(first);
        long token = first.leadership().orElseThrow().fencingToken();
        long sequence = first.status().candidate().orElseThrow().sequence();
        first.close();
        admin.deleteAll(PATH);

        Election second = candidate("b");

        awaitLeader(second);
        assertThat(second.status().candidate().orElseThrow().sequence()).isEqualTo(sequence);
        assertThat(second.leadership().orElseThrow().fencingToken()).isGreaterThan(token);
    }

    @Test
    @Tag("F39")
    @DisplayName("F39: a container node can be the election's path")
    void containerAsPath() {
        admin.create("/elections");
        admin.create(PATH, CreateMode.CONTAINER);
        Election first = candidate("a");
        awaitLeader(first);
        Election second = candidate("b");
        awaitFollower(second);

        first.close();

        awaitLeader(second);
        await().during(Duration.ofMillis(300)).atMost(BOUND).until(second::isLeader);
    }
}
