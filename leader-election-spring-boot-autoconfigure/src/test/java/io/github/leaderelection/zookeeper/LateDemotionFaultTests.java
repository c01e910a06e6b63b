package io.github.leaderelection.zookeeper;

import static io.github.leaderelection.ElectionContract.BACKGROUND;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper.States;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who leads no more knows it before anybody else can lead. */
class LateDemotionFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F1")
    @DisplayName("F1: a leader that is cut off stops before another one leads, and finds its place again afterwards")
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
    @DisplayName("F8: the lease runs from the last proof, not from the time at which the client notices the silence")
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
    @DisplayName("F9: a leader whose node an administrator deletes leads no more, and joins again behind the others")
    void noticesTheDeletionOfItsNode() throws Exception {
        Participant leader = participant("leader").nominate();
        Leadership term = leader.awaitLeading();
        Participant next = participant("next").nominate().awaitFollowing();

        admin.delete(admin.node(leader));

        leader.awaitEvents("granted 1", "revoked 1 NODE_LOST");
        assertThat(term.isValid()).isFalse();
        assertThat(next.awaitLeading().fencingToken()).isGreaterThan(term.fencingToken());
        leader.awaitFollowing();
        assertThat(leader.token()).isGreaterThan(next.token());
    }

    @Test
    @Tag("F10")
    @DisplayName("F10: a renewal that is acknowledged after the lease was over does not revive the term")
    void doesNotReviveATermByALateAcknowledgement() throws Exception {
        Participant leader = participant("leader").nominate();
        Leadership term = leader.awaitLeading();
        var heartbeat = leader.client().interceptNext(Fate.DELAY_ANSWER, "setData");
        eventually().until(heartbeat::isTriggered);
        leader.proxy().blackHole();
        leader.awaitNotLeading();

        heartbeat.release();

        assertThat(term.isValid()).isFalse();
        assertThat(leader.isLeader()).isFalse();
        leader.awaitEvents("granted 1", "revoked 1 CONNECTION_LOST");
        leader.proxy().open();
        assertThat(leader.awaitLeading().term()).isEqualTo(2);
        assertThat(term.isValid()).isFalse();
    }

    @Test
    @Tag("F10")
    @DisplayName("F10: a claim that is confirmed later than its lease makes nobody leader; only a fresh proof does")
    void doesNotLeadByAClaimThatWasConfirmedTooLate() throws Exception {
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
    @DisplayName("F11: who withdraws while its claim is under way does not lead, and leaves nothing to wait for")
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
        // A lease of ten seconds would have to be waited out otherwise.
        Participant next = participant("next").session(session).nominate();
        await().atMost(Duration.ofSeconds(9)).until(next::isLeader);
    }

    @Test
    @Tag("F12")
    @DisplayName("F12: when the revoked event comes the term is over, whatever ended it")
    void isNotLeaderAnyMoreWhenRevokedIsTold() throws Exception {
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
    @DisplayName("F12: isLeader() waits for no listener: it turns false while one is still busy with the grant")
    void answersWhileAListenerIsBusy() throws Exception {
        Participant leader = participant("leader").open();
        var granted = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        leader.election().addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                granted.countDown();
                awaitQuietly(goOn);
            }
        });
        leader.nominate();
        assertThat(granted.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ask(leader)).isTrue();

        var steppedDown = inBackground(leader.election()::withdraw);
        eventually().until(() -> !ask(leader));

        assertThat(goOn.getCount()).as("the listener is still busy").isOne();
        assertThat(admin.nodes())
                .as("what is handed over only after the listener")
                .hasSize(1);
        goOn.countDown();
        steppedDown.get(20, TimeUnit.SECONDS);
        assertThat(admin.nodes()).isEmpty();
    }

    /** On another thread, so that one that hangs is told from one that answers. */
    private static boolean ask(Participant peer) throws Exception {
        return CompletableFuture.supplyAsync(peer::isLeader, BACKGROUND).get(10, TimeUnit.SECONDS);
    }

    @Test
    @Tag("F17")
    @DisplayName("F17: a leader that was paused for longer than its session does not lead when it goes on")
    void doesNotLeadAfterAPause() throws Exception {
        Participant paused = participant("paused").nominate();
        Leadership term = paused.awaitLeading();
        Participant next = participant("next").nominate().awaitFollowing();
        var pause = new CountDownLatch(1);
        // Its loop and its timers stand still in the middle of a renewal, and its client is silent.
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
        assertThat(paused.events()).as("not yet told").containsExactly("granted 1");
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
    @DisplayName("F19: after a suspension, during which the monotonic clock stood still, the wall clock ends the term")
    void doesNotLeadAfterASuspension() throws Exception {
        var clock = new TestClock();
        Participant leader = participant("leader").clock(clock).nominate();
        Leadership term = leader.awaitLeading();
        leader.proxy().blackHole();

        clock.moveWall(SESSION.toMillis());

        assertThat(leader.isLeader()).isFalse();
        assertThat(term.isValid()).isFalse();
        leader.awaitEvents("granted 1", "revoked 1 CONNECTION_LOST");
        leader.proxy().open();
        assertThat(leader.awaitLeading().term()).isEqualTo(2);
    }

    @Test
    @Tag("F20")
    @DisplayName("F20: a wall clock that is put forward ends the term at worst; it leads again at once")
    void survivesAWallClockPutForward() throws Exception {
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
    @DisplayName("F20: a wall clock that is put back ends no term, and lengthens none")
    void survivesAWallClockPutBack() throws Exception {
        var clock = new TestClock();
        Participant leader = participant("leader").clock(clock).nominate();
        leader.awaitLeading();
        Participant next = participant("next").nominate().awaitFollowing();

        String heartbeat = admin.heartbeat(leader);

        int beats = admin.stat(heartbeat).getVersion();
        clock.moveWall(-Duration.ofHours(1).toMillis());
        eventually().until(() -> admin.stat(heartbeat).getVersion() > beats + 4);
        assertThat(leader.isLeader()).isTrue();
        eventually().untilAsserted(() -> assertThat(leader.events()).containsExactly("granted 1"));

        leader.proxy().blackHole();
        clock.moveWall(-Duration.ofHours(1).toMillis());
        leader.awaitEvents("granted 1", "revoked 1 CONNECTION_LOST");
        next.awaitLeading();
    }
}
