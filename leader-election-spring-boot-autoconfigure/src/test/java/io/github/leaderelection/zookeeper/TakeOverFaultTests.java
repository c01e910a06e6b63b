package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.fixture.TestClock;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Leaders that fall silent, and heirs that take over. Sessions are longer than any wait of the tests, so a leader that
 * changes was not replaced by the end of its session.
 */
class TakeOverFaultTests extends ElectionTestSupport {

    private static final Duration ENDLESS = Duration.ofSeconds(50);
    private static final Duration LEASE = Duration.ofMillis(1_500);

    private Participant.Builder member(String id, int priority) {
        return participant(id)
                .session(ENDLESS)
                .lease(LEASE)
                .options(options -> options.priority(priority).drainTimeout(BOUND));
    }

    private Participant.Builder member(String id) {
        return member(id, 0);
    }

    /** A leader and its heir, which has sighted a heartbeat. */
    private Participant heirOf(Participant leader, String id, int priority) {
        Participant heir = member(id, priority).nominate().awaitFollowing();
        awaitHeir(leader, heir);
        return heir;
    }

    private Participant heirOf(Participant leader, String id) {
        return heirOf(leader, id, 0);
    }

    private void awaitHeir(Participant leader, Participant heir) {
        String node = Paths.name(admin.node(heir));
        eventually().until(() -> admin.record().heir().equals(node));
        awaitHeartbeatWatched(leader);
        awaitHeartbeats(leader, 1);
    }

    /** Waits until the leader has renewed its lease so many times. */
    private void awaitHeartbeats(Participant leader, int count) {
        String heartbeat = admin.heartbeat(leader);
        int version = admin.stat(heartbeat).getVersion();
        eventually().until(() -> admin.stat(heartbeat).getVersion() >= version + count);
    }

    /** Longer than the heir waits. */
    private void awaitMoreThanALease(Participant leader) {
        awaitHeartbeats(leader, 9);
    }

    @Test
    @DisplayName("After a crash the heir leads when the lease is over, although the session is not")
    void takesOverFromALeaderThatIsCutOff() throws Exception {
        Participant leader = member("leader").nominate();
        Leadership term = leader.awaitLeading();
        Participant heir = heirOf(leader, "heir");
        String node = admin.node(leader);

        leader.proxy().blackHole();

        assertThat(heir.awaitLeading().fencingToken()).isGreaterThan(term.fencingToken());
        assertThat(term.isValid()).isFalse();
        assertThat(admin.exists(node)).isFalse();
        leader.proxy().open();
        leader.awaitFollowing();
        assertThat(leader.events()).hasSize(2).first().isEqualTo("granted 1");
    }

    @Test
    @DisplayName("A candidate that joins after a leader without an heir has crashed takes over from it")
    void takesOverFromALeaderThatWasAlone() {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        leader.proxy().blackHole();

        Participant late = member("late").nominate();

        late.awaitLeading();
        assertThat(leader.isLeader()).isFalse();
    }

    @Test
    @Tag("F73")
    @DisplayName("F73: an heir that lags behind does not depose a leader whose heartbeats it has not seen")
    void doesNotDeposeALeaderWhoseHeartbeatsAreLate() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant heir = heirOf(leader, "heir");
        long before = heir.client().requestCount("multi");

        heir.proxy().delay(3 * LEASE.toMillis());
        eventually().until(() -> heir.client().requestCount("multi") > before);
        heir.proxy().delay(0);

        awaitMoreThanALease(leader);
        assertThat(leader.events()).containsExactly("granted 1");
        assertThat(heir.events()).isEmpty();
    }

    @Test
    @Tag("F74")
    @DisplayName("F74: an heir that misses an event does not take a version that it has not seen for an old one")
    void doesNotDeposeALeaderWhoseHeartbeatItMissed() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        String heartbeat = admin.heartbeat(leader);
        Participant heir = member("heir")
                .onOpen(client -> client.silenceWatches(heartbeat::equals))
                .nominate()
                .awaitFollowing();
        awaitHeir(leader, heir);
        long before = heir.client().requestCount("multi");

        eventually().until(() -> heir.client().requestCount("multi") > before + 1);

        awaitMoreThanALease(leader);
        assertThat(leader.events()).containsExactly("granted 1");
        assertThat(heir.events()).isEmpty();
    }

    @Test
    @Tag("F76")
    @DisplayName("F76: a deposed leader that wakes up hears that its node is gone before its heartbeats count")
    void aDeposedLeaderWakesUp() throws Exception {
        TcpProxy proxy = proxy();
        LossyZooKeeper client = lossyClient(proxy.address(), ENDLESS);
        var clock = new TestClock();
        // Not monitored: the clocks of a process that stands still do not tell it that its lease is over.
        Election leader = over(client, options("leader").lease(LEASE), clock).election("orders", PATH);
        var events = new EventLog();
        leader.addListener(events);
        leader.nominate();
        awaitLeader(leader);
        Participant heir = member("heir").nominate().awaitFollowing();
        eventually().until(() -> !admin.record().heir().isEmpty());
        awaitHeartbeatWatched(admin.heartbeat(PATH + "/" + admin.holder()));

        client.drainRequests();
        proxy.blackHole();
        clock.stop();
        heir.awaitLeading();
        // It counts as sent within the lease, and its session has not ended.
        eventually().until(() -> client.requestCount("setData") > 0);
        proxy.open();

        eventually().until(() -> events.events().equals(List.of("granted 1", "revoked 1 NODE_LOST")));
        awaitFollower(leader);
        awaitMoreThanALease(heir);
        assertThat(leader.isLeader()).isFalse();
        assertThat(heir.events()).containsExactly("granted 1");
        clock.resume();
    }

    @Test
    @Tag("F77")
    @DisplayName("F77: the heir of a leader that has just taken over does not take over in turn")
    void isNotDeposedItself() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant heir = heirOf(leader, "heir");
        Participant third = member("third").nominate().awaitFollowing();

        leader.proxy().blackHole();
        heir.awaitLeading();
        awaitHeir(heir, third);

        awaitMoreThanALease(heir);
        assertThat(heir.events()).containsExactly("granted 1");
        assertThat(third.events()).isEmpty();
    }

    @Test
    @Tag("F78")
    @Tag("F84")
    @DisplayName(
            "F78, F84: the heir takes over although another candidate is first, and tokens grow whoever leads next")
    void theFirstInTheQueueIsSkipped() throws Exception {
        Participant leader = member("leader").nominate();
        Leadership first = leader.awaitLeading();
        Participant skipped = member("skipped").nominate().awaitFollowing();
        Participant heir = heirOf(leader, "heir", 5);

        leader.proxy().blackHole();
        Leadership second = heir.awaitLeading();
        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
        eventually()
                .until(() -> skipped.election()
                        .status()
                        .following()
                        .filter(Paths.name(admin.node(heir))::equals)
                        .isPresent());

        heir.election().close();
        assertThat(skipped.awaitLeading().fencingToken()).isGreaterThan(second.fencingToken());
    }

    @Test
    @Tag("F79")
    @DisplayName("F79: an election that is deleted while the heir takes over has ended for all")
    void theElectionIsDeletedMeanwhile() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant heir = heirOf(leader, "heir");
        Participant observer = member("observer").open();
        var takeOver = heir.client().interceptNext(Fate.DELAY_REQUEST, "multi");

        leader.proxy().blackHole();
        eventually().until(takeOver::isTriggered);
        Future<?> deletion = inBackground(() -> observer.election().delete());
        eventually().until(() -> admin.record().state() == LeaderRecord.State.ENDED);
        takeOver.release();

        deletion.get();
        assertThat(admin.exists(PATH)).isFalse();
        eventually().until(() -> heir.events().equals(List.of("ended")));
    }

    @Test
    @Tag("F79")
    @DisplayName("F79: a leader whose session expires while the heir takes over is replaced once")
    void theSessionExpiresMeanwhile() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant heir = heirOf(leader, "heir");
        var takeOver = heir.client().interceptNext(Fate.DELAY_REQUEST, "multi");

        leader.proxy().blackHole();
        eventually().until(takeOver::isTriggered);
        server.expire(leader.client());
        takeOver.release();

        heir.awaitLeading();
        assertThat(heir.events()).containsExactly("granted 1");
    }

    @Test
    @Tag("F80")
    @DisplayName("F80: a leader that drains for longer than its lease is not deposed")
    void isNotDeposedWhileItDrains() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant heir = heirOf(leader, "heir");
        String node = admin.node(leader);
        var working = new CountDownLatch(1);
        var done = new CountDownLatch(1);
        inBackground(() -> leader.election().runIfLeader(term -> {
            working.countDown();
            awaitUninterruptibly(done);
        }));
        working.await();

        String heartbeat = admin.heartbeat(leader);
        Future<?> steppedDown = inBackground(() -> leader.election().stepDown());
        leader.awaitNotLeading();
        int version = admin.stat(heartbeat).getVersion();
        eventually().until(() -> admin.stat(heartbeat).getVersion() > version + 9);
        assertThat(admin.exists(node)).isTrue();
        assertThat(heir.isLeader()).isFalse();

        done.countDown();
        steppedDown.get();
        heir.awaitLeading();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Tag("F81")
    @DisplayName("F81: an heir whose connection was lost counts from its next sighting, so that the leader goes on")
    void doesNotDeposeALeaderAfterAnOutage() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant heir = heirOf(leader, "heir");

        heir.proxy().cut();
        awaitMoreThanALease(leader);
        heir.proxy().open();
        heir.awaitFollowing();
        awaitHeartbeatWatched(leader);

        awaitMoreThanALease(leader);
        assertThat(leader.events()).containsExactly("granted 1");
        assertThat(heir.events()).isEmpty();
    }

    @Test
    @Tag("F82")
    @DisplayName(
            "F82: an heir that may not delete the leader's node reports it once, and leads when the session has ended")
    void mayNotDeleteTheLeadersNode() throws Exception {
        var owner = new Id("digest", DigestAuthenticationProvider.generateDigest("owner:secret"));
        admin.createElection();
        admin.setAcl(
                PATH,
                new ArrayList<>(
                        List.of(new ACL(Perms.ALL, owner), new ACL(Perms.ALL & ~Perms.DELETE, Ids.ANYONE_ID_UNSAFE))));
        Duration session = Duration.ofSeconds(6);
        Participant leader = participant("leader")
                .session(session)
                .lease(LEASE)
                .onOpen(client -> client.addAuthInfo("digest", "owner:secret".getBytes(StandardCharsets.UTF_8)))
                .nominate();
        leader.awaitLeading();
        Participant heir = member("heir").nominate().awaitFollowing();
        awaitHeir(leader, heir);

        leader.proxy().blackHole();

        heir.awaitLeading();
        assertThat(heir.events())
                .filteredOn(event -> event.contains("Cannot take over"))
                .hasSize(1);
        admin.setAcl(PATH, Ids.OPEN_ACL_UNSAFE);
    }

    @Test
    @Tag("F83")
    @DisplayName("F83: if the heir is frozen when it is named, its own heir takes over")
    void theHeirIsFrozenWhenItIsNamed() throws Exception {
        Participant leader = member("leader").nominate();
        leader.awaitLeading();
        Participant heir = heirOf(leader, "heir");
        Participant third = member("third").nominate().awaitFollowing();
        eventually().until(() -> admin.children(PATH).size() == 4);
        awaitMoreThanALease(leader);

        heir.proxy().blackHole();
        leader.election().stepDown();

        eventually().until(() -> third.isLeader() || leader.isLeader());
        assertThat(heir.isLeader()).isFalse();
    }

    @Test
    @Tag("F85")
    @DisplayName("F85: a leader whose node is touched and then deleted does not count heartbeats")
    void aTouchUsesUpTheWatch() throws Exception {
        Participant leader = member("leader").nominate();
        Leadership term = leader.awaitLeading();
        String node = admin.node(leader);
        var watch = leader.client()
                .interceptNext(
                        Fate.DELAY_REQUEST, (operation, path) -> operation.equals("getData") && path.equals(node));

        admin.write(node, admin.client().getData(node, false, null));
        eventually().until(watch::isTriggered);
        admin.delete(node);

        eventually().until(() -> !term.isValid());
        watch.release();
        assertThat(leader.awaitLeading().fencingToken()).isGreaterThan(term.fencingToken());
    }

    @Test
    @Tag("F94")
    @DisplayName("F94: a node of a former candidacy on the same session does not block the queue")
    void deletesOrphansOfItsConnection() throws Exception {
        Participant candidate = member("candidate").nominate();
        Leadership term = candidate.awaitLeading();
        String node = admin.node(candidate);

        admin.replaceBy(node, candidate.client());

        eventually().until(() -> !term.isValid());
        assertThat(candidate.awaitLeading().fencingToken()).isGreaterThan(term.fencingToken());
        admin.awaitNodes(1);
    }
}
