package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The successor of a leader that did not hand over waits until the lease has ended, whatever happens in between. */
class LeaseFaultTests extends ElectionTestSupport {

    private static final Duration LONG_SESSION = Duration.ofSeconds(6);
    private static final Duration LONG_LEASE = Duration.ofSeconds(3);
    private static final Duration SHORT_LEASE = Duration.ofSeconds(1);

    @Test
    @Tag("F63")
    @DisplayName("F63: a successor waits for the lease in the record, not for its own")
    void waitsForTheLeaseInTheRecord() throws Exception {
        Participant longLease = participant("long lease")
                .session(LONG_SESSION)
                .lease(LONG_LEASE)
                .nominate();
        longLease.awaitLeading();
        Participant shortLease = participant("short lease")
                .session(LONG_SESSION)
                .lease(SHORT_LEASE)
                .nominate()
                .awaitFollowing();
        assertThat(admin.record().lease()).isEqualTo(LONG_LEASE.toMillis());
        String node = admin.node(longLease);

        longLease.proxy().blackHole();
        admin.delete(node);
        assertThat(longLease.isLeader())
                .as("cut off, and its lease has not ended")
                .isTrue();

        shortLease.awaitLeading();
        assertThat(longLease.isLeader()).isFalse();
        assertThat(admin.record().lease()).as("the new leader's own lease").isEqualTo(SHORT_LEASE.toMillis());
    }

    @Test
    @Tag("F63")
    @DisplayName("F63: a candidate named by a hand-over leads with the record's lease if that is shorter than its own")
    void leadsWithTheShorterLeaseAfterAHandOver() throws Exception {
        Participant shortLease = participant("short lease")
                .session(LONG_SESSION)
                .lease(SHORT_LEASE)
                .nominate();
        shortLease.awaitLeading();
        Participant longLease = participant("long lease")
                .session(LONG_SESSION)
                .lease(LONG_LEASE)
                .nominate()
                .awaitFollowing();
        shortLease.election().stepDown();
        longLease.awaitLeading();
        shortLease.awaitFollowing();
        assertThat(admin.record().lease()).isEqualTo(SHORT_LEASE.toMillis());
        String node = admin.node(longLease);

        longLease.proxy().blackHole();
        admin.delete(node);

        shortLease.awaitLeading();
        assertThat(longLease.isLeader()).isFalse();
    }

    @Test
    @Tag("F64")
    @DisplayName(
            "F64: in an election that was deleted and created again, no candidate leads before an earlier lease must have ended")
    void waitsInAnElectionThatWasCreatedAgain() throws Exception {
        Participant old =
                participant("old").session(LONG_SESSION).lease(LONG_LEASE).nominate();
        Leadership term = old.awaitLeading();
        old.proxy().blackHole();

        admin.deleteAll(PATH);
        admin.createElection();
        Participant newcomer =
                participant("newcomer").session(LONG_SESSION).lease(SHORT_LEASE).open();
        newcomer.nominate();
        admin.awaitNodes(1);
        assertThat(term.isValid()).as("cut off, and its lease has not ended").isTrue();

        assertThat(newcomer.awaitLeading().fencingToken()).isGreaterThan(term.fencingToken());
        assertThat(term.isValid()).isFalse();
    }

    @Test
    @Tag("F64")
    @DisplayName("F64: if only the record was deleted, no candidate leads before an earlier lease must have ended")
    void waitsIfTheRecordWasDeleted() throws Exception {
        Participant old =
                participant("old").session(LONG_SESSION).lease(LONG_LEASE).nominate();
        Leadership term = old.awaitLeading();
        String node = admin.node(old);
        old.proxy().blackHole();

        admin.delete(RECORD);
        admin.delete(node);
        Participant newcomer =
                participant("newcomer").session(LONG_SESSION).lease(SHORT_LEASE).open();
        newcomer.nominate();
        admin.awaitNodes(1);
        assertThat(term.isValid()).as("cut off, and its lease has not ended").isTrue();

        newcomer.awaitLeading();
        assertThat(term.isValid()).isFalse();
    }

    @Test
    @Tag("F64")
    @DisplayName("F64: a new election under an old root gets its leader at once, since nothing was ever deleted there")
    void leadsANewElectionAtOnce() throws Exception {
        Duration session = Duration.ofSeconds(30);
        Participant candidate = participant("candidate").session(session).nominate();

        candidate.awaitLeading();
    }

    @Test
    @Tag("F70")
    @DisplayName("F70: heartbeats do not renew a new leader's lease before it watches its own node")
    void isNotRenewedBeforeItsNodeIsWatched() throws Exception {
        admin.createElection();
        Participant candidate = participant("candidate").session(LONG_SESSION).open();
        var watch = candidate.client().interceptNext(Fate.DELAY_REQUEST, LeaseFaultTests::readsCandidate);
        // The first list precedes the claim; the second one would show the leader what its watch does not.
        var lists = new AtomicInteger();
        var list = candidate
                .client()
                .interceptNext(
                        Fate.DELAY_REQUEST,
                        (operation, path) -> operation.equals("getChildren") && lists.incrementAndGet() == 2);
        candidate.nominate();
        Leadership term = candidate.awaitLeading();
        eventually().until(() -> watch.isTriggered() && list.isTriggered());
        String node = admin.node(term.fencingToken());
        String heartbeat = admin.heartbeat(candidate);
        assertThat(admin.record().heldBy(Paths.name(node))).isTrue();

        admin.delete(node);
        // The claim was a heartbeat as well. Further ones are acknowledged, but must not renew the lease.
        eventually().until(() -> admin.stat(heartbeat).getVersion() > 2);

        eventually().until(() -> !term.isValid());
        watch.release();
        list.release();
        assertThat(candidate.awaitLeading().fencingToken()).isGreaterThan(term.fencingToken());
        candidate.awaitEvents("granted 1", "revoked 1 LEASE_EXPIRED", "granted 2");
    }

    @Test
    @Tag("F70")
    @DisplayName("F70: after a reconnect, heartbeats do not renew a lease before the leader watches its own node again")
    void isNotRenewedBeforeItsNodeIsWatchedAgain() throws Exception {
        Participant leader = participant("leader")
                .session(LONG_SESSION.multipliedBy(2))
                .lease(LONG_LEASE.plus(SHORT_LEASE))
                .onOpen(LeaseFaultTests::disableWatchReset)
                .nominate();
        Leadership term = leader.awaitLeading();
        // Reconnecting may take several attempts, each with a read.
        List<LossyZooKeeper.Fault> watches = Stream.generate(
                        () -> leader.client().interceptNext(Fate.DELAY_REQUEST, LeaseFaultTests::readsCandidate))
                .limit(20)
                .toList();

        leader.proxy().cutOnce();

        eventually().until(() -> watches.get(0).isTriggered());
        leader.awaitEvents("granted 1", "revoked 1 LEASE_EXPIRED");
        assertThat(term.isValid()).isFalse();
        watches.forEach(LossyZooKeeper.Fault::release);
        assertThat(leader.awaitLeading().fencingToken()).isEqualTo(term.fencingToken());
    }

    private static void disableWatchReset(ZooKeeper client) {
        client.getClientConfig().setProperty(ZKClientConfig.DISABLE_AUTO_WATCH_RESET, "true");
    }

    private static boolean readsCandidate(String operation, String path) {
        return operation.equals("getData") && path.startsWith(PATH + "/c-");
    }

    @Test
    @Tag("F71")
    @DisplayName("F71: heartbeats seen before a follower lost its connection do not shorten its wait")
    void ignoresHeartbeatsFromBeforeItsConnectionWasLost() throws Exception {
        // Long enough for the follower to reconnect, for which the client takes its time.
        Duration session = Duration.ofSeconds(9);
        Duration lease = Duration.ofSeconds(6);
        Participant leader = participant("leader").session(session).lease(lease).nominate();
        leader.awaitLeading();
        Participant follower =
                participant("follower").session(session).lease(lease).nominate().awaitFollowing();
        awaitHeartbeatWatched(leader);
        String node = admin.node(leader);
        String heartbeat = admin.heartbeat(leader);
        var seen = admin.stat(heartbeat);

        follower.proxy().cut();
        // More than a lease after the last heartbeat that the follower saw, the leader still renews.
        eventually().until(() -> admin.stat(heartbeat).getMtime() - seen.getMtime() > 1.1 * lease.toMillis() + 200);
        leader.proxy().blackHole();
        follower.proxy().open();
        follower.awaitFollowing();
        admin.delete(node);
        assertThat(leader.isLeader()).as("cut off, and its lease has not ended").isTrue();

        follower.awaitLeading();
        assertThat(leader.isLeader()).isFalse();
    }

    @Test
    @Tag("F72")
    @Tag("F75")
    @DisplayName(
            "F72, F75: a heartbeat that an administrator deletes is never created again; its candidates join afresh with another")
    void joinsAfreshWithAnotherHeartbeat() throws Exception {
        Participant leader =
                participant("leader").session(LONG_SESSION).lease(LONG_LEASE).nominate();
        Leadership term = leader.awaitLeading();
        Participant next = participant("next")
                .session(LONG_SESSION)
                .lease(LONG_LEASE)
                .nominate()
                .awaitFollowing();
        awaitHeartbeatWatched(leader);
        String heartbeat = admin.heartbeat(leader);

        admin.delete(heartbeat);

        assertThat(next.awaitLeading().fencingToken()).isGreaterThan(term.fencingToken());
        assertThat(term.isValid()).isFalse();
        leader.awaitEvents("granted 1", "revoked 1 NODE_LOST");
        leader.awaitFollowing();
        assertThat(admin.heartbeat(leader)).isNotEqualTo(heartbeat);
        assertThat(admin.exists(heartbeat)).isFalse();
    }

    @Test
    @Tag("F75")
    @DisplayName("F75: a node that an administrator puts in the place of a heartbeat does not count as that heartbeat")
    void doesNotCountAHeartbeatOfSomebodyElse() throws Exception {
        Participant leader =
                participant("leader").session(LONG_SESSION).lease(LONG_LEASE).nominate();
        Leadership term = leader.awaitLeading();
        String heartbeat = admin.heartbeat(leader);

        admin.client()
                .multi(List.of(
                        Op.delete(heartbeat, -1),
                        Op.create(heartbeat, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)));

        eventually().until(() -> !term.isValid());
        assertThat(leader.awaitLeading().fencingToken()).isGreaterThan(term.fencingToken());
        assertThat(admin.heartbeat(leader)).isNotEqualTo(heartbeat);
        admin.delete(heartbeat);
    }
}
