package io.github.leaderelection.zookeeper;

import static io.github.leaderelection.ElectionContract.BACKGROUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.engine.TestClock;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper.States;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who leads no more knows it before anybody else can lead. */
class LateDemotionFaultTests {

    private static final Duration SESSION = Duration.ofSeconds(3);

    private final Scene scene = new Scene();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    @Tag("F1")
    @DisplayName("F1: a leader that is cut off stops before another one leads, and finds its place again afterwards")
    void stopsLeadingWhenItIsCutOff() throws Exception {
        Peer one = scene.peer("one", SESSION).nominate();
        long token = one.leads().fencingToken();
        Peer two = scene.peer("two", SESSION).nominate().follows();
        Peer three = scene.peer("three", SESSION).nominate().follows();

        one.connection.cut();

        one.hears("granted", "revoked CONNECTION_LOST");
        assertThat(two.leads().fencingToken()).isGreaterThan(token);
        assertThat(one.isLeader()).isFalse();
        assertThat(three.isLeader()).isFalse();
        one.connection.open();
        scene.awaitCandidates(3);
        one.follows();
        assertThat(two.isLeader()).isTrue();
        await().untilAsserted(() -> assertThat(two.recorder.events()).containsExactly("granted"));
        await().untilAsserted(
                        () -> assertThat(one.recorder.events()).containsExactly("granted", "revoked CONNECTION_LOST"));
    }

    @Test
    @Tag("F8")
    @DisplayName("F8: the lease runs from the last proof, not from the time at which the client notices the silence")
    void stopsLeadingBeforeItsClientNoticesTheSilence() throws Exception {
        Duration session = Duration.ofSeconds(9);
        Peer leader = scene.peer("leader", session, options -> options.lease(Duration.ofSeconds(1)))
                .nominate();
        leader.leads();
        Peer next = scene.peer("next", session).nominate().follows();
        scene.awaitObserved(leader);
        String node = scene.node(leader);

        leader.connection.blackHole();
        leader.leadsNoMore();
        assertThat(leader.client().getState()).isEqualTo(States.CONNECTED);

        scene.delete(node);
        next.leads();
        assertThat(leader.isLeader()).isFalse();
    }

    @Test
    @Tag("F9")
    @DisplayName("F9: a leader whose node an administrator deletes leads no more, and joins again behind the others")
    void noticesTheDeletionOfItsNode() throws Exception {
        Peer leader = scene.peer("leader", SESSION).nominate();
        Leadership term = leader.leads();
        Peer next = scene.peer("next", SESSION).nominate().follows();

        scene.delete(scene.node(leader));

        leader.hears("granted", "revoked NODE_LOST");
        assertThat(term.isValid()).isFalse();
        assertThat(next.leads().fencingToken()).isGreaterThan(term.fencingToken());
        leader.follows();
        assertThat(leader.token()).isGreaterThan(next.token());
    }

    @Test
    @Tag("F10")
    @DisplayName("F10: a renewal that is acknowledged after the lease was over does not revive the term")
    void doesNotReviveATermByALateAcknowledgement() throws Exception {
        Peer leader = scene.peer("leader", SESSION).nominate();
        Leadership term = leader.leads();
        var heartbeat = leader.client().next(Fate.DELAY_ANSWER, "setData");
        await().atMost(Peer.PATIENCE).until(heartbeat::isMet);
        leader.connection.blackHole();
        leader.leadsNoMore();

        heartbeat.release();

        assertThat(term.isValid()).isFalse();
        assertThat(leader.isLeader()).isFalse();
        leader.hears("granted", "revoked CONNECTION_LOST");
        leader.connection.open();
        assertThat(leader.leads().term()).isEqualTo(2);
        assertThat(term.isValid()).isFalse();
    }

    @Test
    @Tag("F10")
    @DisplayName("F10: a claim that is confirmed later than its lease makes nobody leader; only a fresh proof does")
    void doesNotLeadByAClaimThatWasConfirmedTooLate() throws Exception {
        scene.makeElection();
        var clock = new TestClock();
        Peer candidate = scene.peer("candidate", SESSION, options -> options, clock);
        var claim = candidate.client().next(Fate.DELAY_ANSWER, "multi");
        candidate.nominate();
        await().atMost(Peer.PATIENCE).until(claim::isMet);
        await().atMost(Peer.PATIENCE).until(() -> scene.exists(Scene.RECORD));
        var heartbeat = candidate.client().next(Fate.DELAY_REQUEST, "setData");

        clock.moveMonotonic(SESSION.toMillis());
        claim.release();

        await().atMost(Peer.PATIENCE).until(heartbeat::isMet);
        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.recorder.events()).isEmpty();
        heartbeat.release();
        candidate.leads();
    }

    @Test
    @Tag("F11")
    @DisplayName("F11: who withdraws while its claim is under way does not lead, and leaves nothing to wait for")
    void doesNotLeadAfterWithdrawingDuringItsClaim() throws Exception {
        Duration session = Duration.ofSeconds(30);
        Peer candidate = scene.peer("candidate", session);
        var claim = candidate.client().next(Fate.DELAY_ANSWER, "multi");
        candidate.nominate();
        await().atMost(Peer.PATIENCE).until(claim::isMet);
        await().atMost(Peer.PATIENCE).until(() -> scene.exists(Scene.RECORD));

        var withdrawn = Peer.inBackground(candidate.election::withdraw);
        await().atMost(Peer.PATIENCE).until(() -> candidate.election.role() == Role.OBSERVER);
        claim.release();
        withdrawn.get(20, TimeUnit.SECONDS);

        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.recorder.events()).isEmpty();
        assertThat(scene.nodes()).isEmpty();
        assertThat(scene.record().state()).isEqualTo(LeaderRecord.State.RELEASED);
        // A lease of ten seconds would have to be waited out otherwise.
        Peer next = scene.peer("next", session).nominate();
        await().atMost(Duration.ofSeconds(9)).until(next::isLeader);
    }

    @Test
    @Tag("F12")
    @DisplayName("F12: when the revoked event comes the term is over, whatever ended it")
    void isNotLeaderAnyMoreWhenRevokedIsTold() throws Exception {
        Peer leader = scene.peer("leader", SESSION);
        var seen = new CopyOnWriteArrayList<String>();
        leader.election.addListener(new ElectionListener() {
            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                seen.add(reason + " " + term.isValid() + " "
                        + (leader.election.leadership().orElse(null) == term));
            }
        });
        leader.nominate().leads();

        leader.election.stepDown();
        leader.leads();
        scene.delete(scene.node(leader));
        await().atMost(Peer.PATIENCE).until(() -> seen.size() == 2);
        leader.leads();
        scene.server.expire(leader.client());
        await().atMost(Peer.PATIENCE).until(() -> seen.size() == 3);
        leader.leads();
        leader.election.withdraw();

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
        Peer leader = scene.peer("leader", SESSION);
        var granted = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        leader.election.addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                granted.countDown();
                awaitQuietly(goOn);
            }
        });
        leader.nominate();
        assertThat(granted.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ask(leader)).isTrue();

        var steppedDown = Peer.inBackground(leader.election::withdraw);
        await().atMost(Peer.PATIENCE).until(() -> !ask(leader));

        assertThat(goOn.getCount()).as("the listener is still busy").isOne();
        assertThat(scene.nodes())
                .as("what is handed over only after the listener")
                .hasSize(1);
        goOn.countDown();
        steppedDown.get(20, TimeUnit.SECONDS);
        assertThat(scene.nodes()).isEmpty();
    }

    /** On another thread, so that one that hangs is told from one that answers. */
    private static boolean ask(Peer peer) throws Exception {
        return CompletableFuture.supplyAsync(peer::isLeader, BACKGROUND).get(10, TimeUnit.SECONDS);
    }

    @Test
    @Tag("F17")
    @DisplayName("F17: a leader that was paused for longer than its session does not lead when it goes on")
    void doesNotLeadAfterAPause() throws Exception {
        Peer paused = scene.peer("paused", SESSION).nominate();
        Leadership term = paused.leads();
        Peer next = scene.peer("next", SESSION).nominate().follows();
        var pause = new CountDownLatch(1);
        // Its loop and its timers stand still in the middle of a renewal, and its client is silent.
        var heartbeat = paused.client().next(Fate.LOSE_REQUEST, (operation, path) -> {
            if (operation.equals("setData")) {
                awaitQuietly(pause);
                return true;
            }
            return false;
        });
        paused.connection.blackHole();

        Leadership successor = next.leads();

        assertThat(heartbeat.isMet()).as("still paused").isFalse();
        assertThat(paused.isLeader()).isFalse();
        assertThat(paused.recorder.events()).as("not yet told").containsExactly("granted");
        assertThat(successor.fencingToken()).isGreaterThan(term.fencingToken());
        assertThatThrownBy(() -> scene.admin.multi(List.of(term.guard())))
                .isInstanceOf(KeeperException.NoNodeException.class);
        pause.countDown();
        paused.connection.open();
        paused.follows();
        await().until(() -> paused.recorder.events().size() == 2);
        assertThat(paused.recorder.events().get(1)).startsWith("revoked");
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
        Peer leader = scene.peer("leader", SESSION, options -> options, clock).nominate();
        Leadership term = leader.leads();
        leader.connection.blackHole();

        clock.moveWall(SESSION.toMillis());

        assertThat(leader.isLeader()).isFalse();
        assertThat(term.isValid()).isFalse();
        leader.hears("granted", "revoked CONNECTION_LOST");
        leader.connection.open();
        assertThat(leader.leads().term()).isEqualTo(2);
    }

    @Test
    @Tag("F20")
    @DisplayName("F20: a wall clock that is put forward ends the term at worst; it leads again at once")
    void survivesAWallClockPutForward() throws Exception {
        var clock = new TestClock();
        Peer leader = scene.peer("leader", SESSION, options -> options, clock).nominate();
        leader.leads();
        Peer next = scene.peer("next", SESSION).nominate().follows();

        clock.moveWall(Duration.ofHours(1).toMillis());

        await().atMost(Peer.PATIENCE).until(() -> leader.isLeader() || next.isLeader());
        leader.election.stepDown();
        next.leads();
        leader.follows();
    }

    @Test
    @Tag("F20")
    @DisplayName("F20: a wall clock that is put back ends no term, and lengthens none")
    void survivesAWallClockPutBack() throws Exception {
        var clock = new TestClock();
        Peer leader = scene.peer("leader", SESSION, options -> options, clock).nominate();
        leader.leads();
        Peer next = scene.peer("next", SESSION).nominate().follows();

        String heartbeat = scene.heartbeat(leader);

        int beats = scene.stat(heartbeat).getVersion();
        clock.moveWall(-Duration.ofHours(1).toMillis());
        await().atMost(Peer.PATIENCE).until(() -> scene.stat(heartbeat).getVersion() > beats + 4);
        assertThat(leader.isLeader()).isTrue();
        await().untilAsserted(() -> assertThat(leader.recorder.events()).containsExactly("granted"));

        leader.connection.blackHole();
        clock.moveWall(-Duration.ofHours(1).toMillis());
        leader.hears("granted", "revoked CONNECTION_LOST");
        next.leads();
    }
}
