package io.github.leaderelection.zookeeper;

import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.DELAY_ANSWER;
import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.DELAY_REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watch events that are missed, early or misleading, and watches that are left behind. */
class WatchFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F52")
    @DisplayName("F52: losing and regaining the connection is not taken for a deletion, and a follower keeps following")
    void connectionEventsAreNoWatchEvents() {
        Election leader = candidate("a");
        awaitLeader(leader);
        TcpProxy proxy = proxy();
        Election follower = candidate(client(proxy, Duration.ofSeconds(15)), "b");
        EventLog events = EventLog.of(follower);
        awaitFollower(follower);
        List<String> before = admin.nodes();

        for (int i = 0; i < 3; i++) {
            proxy.cut();
            eventually().until(() -> follower.role() == Role.CANDIDATE);
            proxy.open();
            awaitFollower(follower);
        }

        assertThat(admin.nodes()).isEqualTo(before);
        assertThat(follower.status().following()).contains(before.get(0));
        assertThat(admin.holder()).isEqualTo(before.get(0));
        assertThat(leader.isLeader()).isTrue();
        assertThat(events.events()).isEmpty();
        leader.close();
        awaitLeader(follower);
    }

    @Test
    @Tag("F53")
    @DisplayName("F53: a follower that was cut off notices on its return that its predecessor is gone")
    void deletionMissedWhileCutOff() {
        Election leader = candidate("a");
        awaitLeader(leader);
        TcpProxy proxy = proxy();
        Election follower = nominate(
                over(client(proxy, Duration.ofSeconds(20)), options("b").recheckInterval(Duration.ofMinutes(10))));
        awaitFollower(follower);
        proxy.cut();
        eventually().until(() -> follower.role() == Role.CANDIDATE);
        leader.close();

        proxy.open();

        awaitLeader(follower);
    }

    @ParameterizedTest(name = "the client sets watches again: {0}")
    @ValueSource(booleans = {true, false})
    @Tag("F53")
    @Tag("F70")
    @DisplayName("F53, F70: a leader that was cut off notices on its return that its node was deleted")
    void deletionMissedByALeader(boolean watchesKept) {
        TcpProxy proxy = proxy();
        ZooKeeper client = client(proxy, watchesKept);
        Election leader = leaderWithWatches(client);
        EventLog events = EventLog.of(leader);
        proxy.cut();
        admin.deleteAll(PATH + "/" + admin.nodes().get(0));

        proxy.open();

        eventually().until(() -> events.events().stream().anyMatch(event -> event.endsWith(" NODE_LOST")));
        awaitLeader(leader);
    }

    @ParameterizedTest(name = "the client sets watches again: {0}")
    @ValueSource(booleans = {true, false})
    @Tag("F53")
    @Tag("F70")
    @DisplayName("F53, F70: a leader that was cut off still notices a deletion of its node after its return")
    void deletionAfterAReconnect(boolean watchesKept) {
        TcpProxy proxy = proxy();
        ZooKeeper client = client(proxy, watchesKept);
        Election leader = leaderWithWatches(client);
        EventLog events = EventLog.of(leader);
        proxy.cut();
        eventually().until(() -> !client.getState().isConnected());
        proxy.open();
        eventually().until(() -> client.getState().isConnected());

        admin.deleteAll(PATH + "/" + admin.nodes().get(0));

        eventually().until(() -> events.events().stream().anyMatch(event -> event.endsWith(" NODE_LOST")));
        awaitLeader(leader);
    }

    private ZooKeeper client(TcpProxy proxy, boolean watchesKept) {
        var config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.DISABLE_AUTO_WATCH_RESET, String.valueOf(!watchesKept));
        return keep(TestServer.connect(proxy.address(), Duration.ofSeconds(20), config));
    }

    /** A leader whose watches are all set. */
    private Election leaderWithWatches(ZooKeeper client) {
        Election leader = nominate(over(client, options("a").recheckInterval(Duration.ofMinutes(10))));
        awaitLeader(leader);
        eventually().until(() -> server.watches() >= 2);
        return leader;
    }

    @Test
    @Tag("F53")
    @DisplayName("F53: an observer that was cut off learns on its return who leads")
    void changeMissedByAnObserver() {
        Election a = candidate("a");
        awaitLeader(a);
        Election b = candidate("b");
        awaitFollower(b);
        TcpProxy proxy = proxy();
        Election observer = over(
                        client(proxy, Duration.ofSeconds(20)), options("c").observe(true))
                .election("orders", PATH);
        EventLog events = EventLog.of(observer);
        eventually().until(() -> events.events().equals(List.of("leader a")));
        proxy.cut();
        a.close();
        awaitLeader(b);

        proxy.open();

        eventually().until(() -> events.events().equals(List.of("leader a", "leader b")));
        b.close();
        eventually().until(() -> events.events().equals(List.of("leader a", "leader b", "leader nobody")));
    }

    @Test
    @Tag("F53")
    @DisplayName("F53: heartbeats that a follower missed while cut off do not shorten its wait for the lease")
    void heartbeatsMissedWhileCutOff() {
        TcpProxy leaderProxy = proxy();
        Election leader = nominate(
                over(client(leaderProxy, Duration.ofSeconds(20)), options("a").lease(Duration.ofSeconds(2))));
        awaitLeader(leader);
        TcpProxy proxy = proxy();
        Election follower = nominate(
                over(client(proxy, Duration.ofSeconds(20)), options("b").lease(Duration.ofSeconds(2))));
        awaitFollower(follower);
        proxy.cut();
        eventually().until(() -> follower.role() == Role.CANDIDATE);
        String heartbeat = admin.heartbeat(PATH + "/" + admin.nodes().get(0));
        int version = admin.stat(heartbeat).getVersion();
        eventually().until(() -> admin.stat(heartbeat).getVersion() >= version + 2);
        String node = admin.nodes().get(0);

        leaderProxy.blackHole();
        admin.delete(PATH + "/" + node);
        proxy.open();

        // The monitor of this test sees whether both lead at the same time.
        awaitLeader(follower);
        assertThat(leader.isLeader()).isFalse();
        // Its connection notices the end of the black hole at once, so that closing it does not take long.
        leaderProxy.cut();
        leaderProxy.open();
    }

    @Test
    @Tag("F54")
    @DisplayName("F54: predecessors that come and go leave no watches on the server")
    void watchesDoNotAccumulate() {
        Election leader = candidate("a");
        awaitLeader(leader);
        ZooKeeper client = client();
        Election last = candidate(client, "z");
        awaitFollower(last);
        last.withdraw();
        // The leader's own: on its node and on the queue.
        eventually().untilAsserted(() -> assertThat(server.watches()).isEqualTo(2));

        for (int i = 0; i < 3; i++) {
            ZooKeeperElections middle = over(client(), options("middle-" + i));
            Election inTheMiddle = nominate(middle);
            awaitFollower(inTheMiddle);
            last.nominate();
            awaitFollower(last);
            middle.close();
            eventually()
                    .until(() -> admin.nodes()
                            .get(0)
                            .equals(last.status().following().orElse("")));
            last.withdraw();
        }

        eventually().untilAsserted(() -> assertThat(server.watches()).isEqualTo(2));
    }

    @Test
    @Tag("F54")
    @DisplayName("F54: a watch requested on a missing node leaves none behind")
    void noWatchOnAMissingNode() {
        Election first = candidate("a");
        awaitLeader(first);
        String predecessor = PATH + "/" + admin.nodes().get(0);
        LossyZooKeeper client = lossyClient();
        LossyZooKeeper.Fault held = client.interceptNext(
                DELAY_REQUEST, (operation, path) -> operation.equals("getData") && path.equals(predecessor));
        ZooKeeperElections elections = over(client, options("b"));
        Election second = nominate(elections);
        eventually().until(held::isTriggered);
        first.close();
        held.release();
        awaitLeader(second);

        elections.close();

        eventually().untilAsserted(() -> assertThat(server.watches()).isZero());
    }

    @Test
    @Tag("F55")
    @DisplayName(
            "F55: a deletion of the own node is noticed even if its event arrives before the answer that sets the watch")
    void ownNodeDeletedWhileSettingTheWatch() {
        LossyZooKeeper client = lossyClient();
        LossyZooKeeper.Fault held = client.interceptNext(
                DELAY_ANSWER, (operation, path) -> operation.equals("getData") && path.contains("/c-"));
        Election election = candidate(client, "a");
        eventually().until(() -> held.isTriggered() && !admin.nodes().isEmpty());
        String first = admin.nodes().get(0);
        admin.delete(PATH + "/" + first);
        eventually().until(() -> admin.nodes().size() == 1 && !admin.nodes().contains(first));

        held.release();

        awaitLeader(election);
        await().during(Duration.ofMillis(500))
                .atMost(BOUND)
                .until(() -> election.isLeader()
                        && admin.nodes().size() == 1
                        && !admin.nodes().contains(first));
        String second = admin.nodes().get(0);
        admin.delete(PATH + "/" + second);
        eventually().until(() -> admin.nodes().size() == 1 && !admin.nodes().contains(second) && election.isLeader());
    }

    @Test
    @Tag("F55")
    @DisplayName(
            "F55: a deletion of the predecessor is noticed even if its event arrives before the answer that sets the watch")
    void predecessorDeletedWhileSettingTheWatch() {
        Election first = candidate("a");
        awaitLeader(first);
        String predecessor = PATH + "/" + admin.nodes().get(0);
        LossyZooKeeper client = lossyClient();
        LossyZooKeeper.Fault held = client.interceptNext(
                DELAY_ANSWER, (operation, path) -> operation.equals("getData") && path.equals(predecessor));
        Election second = candidate(client, "b");
        eventually().until(() -> held.isTriggered() && second.role() == Role.FOLLOWER);

        first.close();

        awaitLeader(second);
        held.release();
        await().during(Duration.ofMillis(500)).atMost(BOUND).until(second::isLeader);
        assertThat(second.status().following()).isEmpty();
    }

    @Test
    @Tag("F56")
    @DisplayName("F56: a failed authentication ends the term and is reported, and a fresh connection recovers")
    void authenticationFails() throws Exception {
        ZooKeeper client = client();
        ZooKeeperElections elections = over(client, options("a"));
        Election election = nominate(elections);
        EventLog events = EventLog.of(election);
        awaitLeader(election);

        client.addAuthInfo("no-such-scheme", new byte[0]);

        eventually().until(() -> client.getState() == ZooKeeper.States.AUTH_FAILED);
        eventually().until(() -> !election.isLeader() && !events.failures().isEmpty());
        assertThat(events.failures().get(0))
                .isInstanceOf(ElectionConnectionException.class)
                .hasMessageContaining("authentication failed");
        assertThat(events.events()).startsWith("granted 1", "revoked 1 SESSION_EXPIRED");
        assertThat(election.role()).isEqualTo(Role.CANDIDATE);
        assertThat(election.status().error().orElseThrow()).contains("authentication failed", "reconnect");
        elections.reconnect(client());
        awaitLeader(election);
        assertThat(election.status().error()).isEmpty();
    }

    @Test
    @Tag("F56")
    @DisplayName("F56: a session whose authentication failed is replaced, if sessions can be opened")
    void sessionWithFailedAuthenticationIsReplaced() {
        var clients = new CopyOnWriteArrayList<ZooKeeper>();
        ZooKeeperSessions sessions = watcher -> {
            clients.add(new ZooKeeper(server.address(), (int) SESSION.toMillis(), watcher));
            return clients.get(clients.size() - 1);
        };
        Election election = nominate(over(sessions, options("a")));
        awaitLeader(election);

        clients.get(0).addAuthInfo("no-such-scheme", new byte[0]);

        eventually().until(() -> clients.size() == 2);
        awaitLeader(election);
        assertThat(admin.stat(PATH + "/" + admin.holder()).getEphemeralOwner())
                .isEqualTo(clients.get(1).getSessionId());
    }

    @Test
    @Tag("F56")
    @DisplayName("F56: a read-only connection to a server without quorum does not count as a connection")
    void readOnlyIsNotConnected() throws Exception {
        SwitchableReadOnlyClient client = keep(new SwitchableReadOnlyClient(server.address()));
        ZooKeeperElections elections = over(client, options("a").connectionTimeout(Duration.ofMillis(500)));
        assertThatThrownBy(() -> elections.election("orders", PATH)).isInstanceOf(ElectionConnectionException.class);
        client.readOnly = false;
        Election election = eventually()
                .ignoreException(ElectionConnectionException.class)
                .until(() -> elections.election("orders", PATH), Objects::nonNull);
        EventLog events = EventLog.of(election);
        election.nominate();
        awaitLeader(election);

        client.readOnly = true;

        eventually().until(() -> !election.isLeader());
        eventually().until(() -> events.events().equals(List.of("granted 1", "revoked 1 CONNECTION_LOST")));
        await().during(Duration.ofMillis(500)).atMost(BOUND).until(() -> !election.isLeader());
        client.readOnly = false;
        awaitLeader(election);
    }

    /** Can pretend to be connected to a read-only server, as in a minority. */
    private static final class SwitchableReadOnlyClient extends ZooKeeper {
        private volatile boolean readOnly = true;

        SwitchableReadOnlyClient(String address) throws IOException {
            super(address, (int) SESSION.toMillis(), event -> {});
        }

        @Override
        public States getState() {
            States state = super.getState();
            return readOnly && state == States.CONNECTED ? States.CONNECTEDREADONLY : state;
        }
    }
}
