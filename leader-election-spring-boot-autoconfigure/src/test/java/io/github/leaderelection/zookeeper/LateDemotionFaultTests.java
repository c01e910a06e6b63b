package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.fixture.TestClock;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper.States;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A leader that has lost the leadership knows it before another candidate can lead. */
class LateDemotionFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F1")
    @DisplayName("F1: a leader that is cut off stops before the next one leads, and rejoins the queue afterwards")
    void stopsLeadingWhenItIsCutOff() throws Exception {
        Participant one = participant("one").nominate();
        long token = one.awaitLeading().fencingToken();
        Participant two = participant("two").nominate().awaitFollowing();
        Participant three = participant("three").nominate().awaitFollowing();

        one.proxy().cut();

        one.awaitEvents("granted 1", "revoked 1 CONNECTION_LOST");
        assertThat(two.awaitLeading().fencingToken()).isGreaterThan(token);
        assertThat(one.isLeader()).isFalse();
        assertThat(three.isLeader()).isFalse();
        one.proxy().open();
        admin.awaitNodes(3);
        one.awaitFollowing();
        assertThat(two.isLeader()).isTrue();
        eventually().untilAsserted(() -> assertThat(two.events()).containsExactly("granted 1"));
        eventually()
                .untilAsserted(
                        () -> assertThat(one.events()).containsExactly("granted 1", "revoked 1 CONNECTION_LOST"));
    }

    @Test
    @Tag("F8")
    @DisplayName(
            "F8: the lease counts from the last acknowledged heartbeat, not from the time the client notices the silence")
    void stopsLeadingBeforeItsClientNoticesTheSilence() throws Exception {
        Duration session = Duration.ofSeconds(9);
        Participant leader = participant("leader")
                .session(session)
                .lease(Duration.ofSeconds(1))
                .nominate();
        leader.awaitLeading();
        Participant next = participant("next").session(session).nominate().awaitFollowing();
        awaitHeartbeatWatched(leader);
        String node = admin.node(leader);

        leader.proxy().blackHole();
        leader.awaitNotLeading();
        assertThat(leader.client().getState()).isEqualTo(States.CONNECTED);

        admin.delete(node);
        next.awaitLeading();
        assertThat(leader.isLeader()).isFalse();
    }

    @Test
    @Tag("F9")
    @DisplayName("F9: a leader whose node is deleted by an administrator stops leading and rejoins behind the others")
    void noticesTheDeletionOfItsNode() throws Exception {
        Participant leader = participant("leader").nominate();
        Leadership term = leader.awaitLeading();
        Participant next = participant("next").nominate().awaitFollowing();

        admin.delete(admin.node(leader));

        leader.awaitEvents("granted 1", "revoked 1 NODE_LOST");
        assertThat(term.isValid()).isFalse();
        assertThat(next.awaitLeading().fencingToken()).isGreaterThan(term.fencingToken());
        leader.awaitFollowing();
        assertThat(leader.sequence()).isGreaterThan(next.sequence());
    }

    @Test
    @Tag("F10")
    @DisplayName("F10: an acknowledgement that arrives after the lease has ended does not revive the term")
    void aLateAcknowledgementDoesNotReviveATerm() throws Exception {
        Participant leader = participant("leader").nominate();
        Leadership term = leader.awaitLeading();
        var heartbeat = leader.client().interceptNext(Fate.DELAY_ANSWER, "setData");
        eventually().until(heartbeat::isTriggered);
        leader.proxy().blackHole();
        leader.awaitNotLeading();

        heartbeat.release();

        assertThat(term.isValid()).isFalse();
        assertThat(leader.isLeader()).isFalse();
        leader.awaitEvents("granted 1", "revoked 1 LEASE_EXPIRED");
        leader.proxy().open();
        assertThat(leader.awaitLeading().term()).isEqualTo(2);
        assertThat(term.isValid()).isFalse();
    }

    @Test
    @Tag("F10")
    @DisplayName(
            "F10: a claim that is confirmed after its lease has ended does not make a leader; a new heartbeat is needed")
    void doesNotLeadIfTheClaimIsConfirmedTooLate() throws Exception {
        admin.createElection();
        var clock = new TestClock();
        Participant candidate = participant("candidate").clock(clock).open();
        var claim = candidate.client().interceptNext(Fate.DELAY_ANSWER, "multi");
        candidate.nominate();
        eventually().until(claim::isTriggered);
        eventually().until(() -> admin.exists(RECORD));
        var heartbeat = candidate.client().interceptNext(Fate.DELAY_REQUEST, "setData");

        clock.moveMonotonic(SESSION.toMillis());
        claim.release();

        eventually().until(heartbeat::isTriggered);
        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.events()).isEmpty();
        heartbeat.release();
        candidate.awaitLeading();
    }

    @Test
    @Tag("F11")
    @DisplayName(
            "F11: a candidate that withdraws while its claim is in flight does not lead, and its successor need not wait")
    void doesNotLeadAfterWithdrawingDuringItsClaim() throws Exception {
        Duration session = Duration.ofSeconds(30);
        Participant candidate = participant("candidate").session(session).open();
        var claim = candidate.client().interceptNext(Fate.DELAY_ANSWER, "multi");
        candidate.nominate();
        eventually().until(claim::isTriggered);
        eventually().until(() -> admin.exists(RECORD));

        var withdrawn = inBackground(candidate.election()::withdraw);
        eventually().until(() -> candidate.election().role() == Role.OBSERVER);
        claim.release();
        withdrawn.get(20, TimeUnit.SECONDS);

        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.events()).isEmpty();
        assertThat(admin.nodes()).isEmpty();
        assertThat(admin.record().state()).isEqualTo(LeaderRecord.State.RELEASED);
        // Otherwise it would have to wait for a lease of ten seconds.
        Participant next = participant("next").session(session).nominate();
        await().atMost(Duration.ofSeconds(9)).until(next::isLeader);
    }

    @Test
    @Tag("F12")
    @DisplayName("F12: when the revoked event arrives the term is over, whatever the reason")
    void isNotLeaderWhenRevokedArrives() throws Exception {
        Participant leader = participant("leader").open();
        var seen = new CopyOnWriteArrayList<String>();
        leader.election().addListener(new ElectionListener() {
            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                seen.add(reason + " " + term.isValid() + " "
                        + (leader.election().leadership().orElse(null) == term));
            }
        });
        leader.nominate().awaitLeading();

        leader.election().stepDown();
        leader.awaitLeading();
        admin.delete(admin.node(leader));
        eventually().until(() -> seen.size() == 2);
        leader.awaitLeading();
        server.expire(leader.client());
        eventually().until(() -> seen.size() == 3);
        leader.awaitLeading();
        leader.election().withdraw();

        assertThat(seen)
                .hasSize(4)
                .allMatch(what -> what.endsWith(" false false"))
                .extracting(what -> what.substring(0, what.indexOf(' ')))
                .startsWith("STEPPED_DOWN", "NODE_LOST")
                .endsWith("WITHDRAWN");
    }

    @Test
    @Tag("F12")
    @DisplayName("F12: isLeader() becomes false while a listener is still busy with the grant")
    void answersWhileAListenerIsBusy() throws Exception {
        Participant leader = participant("leader").open();
        var granted = new CountDownLatch(1);
        var mayReturn = new CountDownLatch(1);
        leader.election().addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                granted.countDown();
                awaitQuietly(mayReturn);
            }
        });
        leader.nominate();
        assertThat(granted.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ask(leader)).isTrue();

        var withdrawn = inBackground(leader.election()::withdraw);
        eventually().until(() -> !ask(leader));

        assertThat(mayReturn.getCount()).as("the listener is still busy").isOne();
        assertThat(admin.nodes()).as("nodes before the listener has returned").hasSize(1);
        mayReturn.countDown();
        withdrawn.get(20, TimeUnit.SECONDS);
        assertThat(admin.nodes()).isEmpty();
    }

    /** Asks on another thread, since the call must not hang. */
    private boolean ask(Participant participant) throws Exception {
        return inBackground(participant::isLeader).get(10, TimeUnit.SECONDS);
    }

    @Test
    @Tag("F17")
    @DisplayName("F17: a leader that was paused for longer than its session does not lead when it resumes")
    void doesNotLeadAfterAPause() throws Exception {
        Participant paused = participant("paused").nominate();
        Leadership term = paused.awaitLeading();
        Participant next = participant("next").nominate().awaitFollowing();
        var pause = new CountDownLatch(1);
        // Its loop and its timers stop in the middle of a renewal, and nothing reaches the server.
        var heartbeat = paused.client().interceptNext(Fate.LOSE_REQUEST, (operation, path) -> {
            if (operation.equals("setData")) {
                awaitQuietly(pause);
                return true;
            }
            return false;
        });
        paused.proxy().blackHole();

        Leadership successor = next.awaitLeading();

        assertThat(heartbeat.isTriggered()).as("still paused").isFalse();
        assertThat(paused.isLeader()).isFalse();
        assertThat(paused.events()).as("events while paused").containsExactly("granted 1");
        assertThat(successor.fencingToken()).isGreaterThan(term.fencingToken());
        assertThatThrownBy(() -> admin.client().multi(List.of(term.guard())))
                .isInstanceOf(KeeperException.NoNodeException.class);
        pause.countDown();
        paused.proxy().open();
        paused.awaitFollowing();
        eventually().until(() -> paused.events().size() == 2);
        assertThat(paused.events().get(1)).startsWith("revoked");
        assertThat(term.isValid()).isFalse();
        assertThat(next.isLeader()).isTrue();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Tag("F19")
    @DisplayName("F19: the wall clock ends the term after a suspension, during which the monotonic clock stands still")
    void doesNotLeadAfterASuspension() throws Exception {
        var clock = new TestClock();
        Participant leader = participant("leader").clock(clock).nominate();
        Leadership term = leader.awaitLeading();
        leader.proxy().blackHole();

        clock.moveWall(SESSION.toMillis());

        assertThat(leader.isLeader()).isFalse();
        assertThat(term.isValid()).isFalse();
        leader.awaitEvents("granted 1", "revoked 1 LEASE_EXPIRED");
        leader.proxy().open();
        assertThat(leader.awaitLeading().term()).isEqualTo(2);
    }

    @Test
    @Tag("F20")
    @DisplayName("F20: a wall clock that jumps forward ends the term at most, and a candidate leads again at once")
    void survivesAWallClockThatJumpsForward() throws Exception {
        var clock = new TestClock();
        Participant leader = participant("leader").clock(clock).nominate();
        leader.awaitLeading();
        Participant next = participant("next").nominate().awaitFollowing();

        clock.moveWall(Duration.ofHours(1).toMillis());

        eventually().until(() -> leader.isLeader() || next.isLeader());
        leader.election().stepDown();
        next.awaitLeading();
        leader.awaitFollowing();
    }

    @Test
    @Tag("F20")
    @DisplayName("F20: a wall clock that jumps back neither ends a term nor extends it")
    void survivesAWallClockThatJumpsBack() throws Exception {
        var clock = new TestClock();
        Participant leader = participant("leader").clock(clock).nominate();
        leader.awaitLeading();
        Participant next = participant("next").nominate().awaitFollowing();

        String heartbeat = admin.heartbeat(leader);
        int version = admin.stat(heartbeat).getVersion();
        clock.moveWall(-Duration.ofHours(1).toMillis());
        eventually().until(() -> admin.stat(heartbeat).getVersion() > version + 4);
        assertThat(leader.isLeader()).isTrue();
        eventually().untilAsserted(() -> assertThat(leader.events()).containsExactly("granted 1"));

        leader.proxy().blackHole();
        clock.moveWall(-Duration.ofHours(1).toMillis());
        leader.awaitEvents("granted 1", "revoked 1 LEASE_EXPIRED");
        next.awaitLeading();
    }
}
