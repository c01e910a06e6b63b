package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.fixture.StaleZooKeeper;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.NodeName;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Claims, hand-overs and deletions whose answers are lost or whose requests are carried out late. */
class ClaimAndHandOverFaultTests extends ElectionTestSupport {

    private static final Duration LONG_SESSION = Duration.ofSeconds(6);

    @Test
    @Tag("F65")
    @DisplayName("F65: a leader that has begun to hand over never leads by that node again, even if the answer is lost")
    void doesNotResumeAfterALostHandOver() throws Exception {
        Participant leader = participant("leader").session(LONG_SESSION).nominate();
        Leadership term = leader.awaitLeading();
        Participant successor =
                participant("successor").session(LONG_SESSION).nominate().awaitFollowing();
        var handOver =
                leader.client().interceptNext(Fate.LOSE_ANSWER_DELAY_REQUEST, ClaimAndHandOverFaultTests::handsOver);
        // It finds everything unchanged and repeats the hand-over, whose answer is lost again.
        var again =
                leader.client().interceptNext(Fate.LOSE_ANSWER_DELAY_REQUEST, ClaimAndHandOverFaultTests::handsOver);
        var held = leader.client().interceptNext(Fate.DELAY_REQUEST, ClaimAndHandOverFaultTests::handsOver);

        var steppedDown = inBackground(leader.election()::stepDown);
        eventually().until(() -> handOver.isTriggered() && again.isTriggered() && held.isTriggered());
        assertThat(leader.election().role()).isEqualTo(Role.CANDIDATE);
        assertThat(admin.nodes()).hasSize(2);
        assertThat(leader.isLeader()).isFalse();

        handOver.release();
        successor.awaitLeading();
        again.release();
        held.release();

        steppedDown.get(20, TimeUnit.SECONDS);
        leader.awaitFollowing();
        assertThat(leader.sequence()).isGreaterThan(successor.sequence());
        assertThat(term.isValid()).isFalse();
        eventually()
                .untilAsserted(
                        () -> assertThat(leader.events()).containsExactly("granted 1", "revoked 1 STEPPED_DOWN"));
        eventually().untilAsserted(() -> assertThat(successor.events()).containsExactly("granted 1"));
        assertThat(successor.isLeader()).isTrue();
    }

    /** The transaction that deletes the own node; another one precedes a look at the queue. */
    private static boolean handsOver(String operation, String path) {
        return operation.equals("multi") && path.startsWith(PATH + "/" + NodeName.PREFIX);
    }

    @Test
    @Tag("F66")
    @DisplayName("F66: a candidate finds its claim in the record if the answer was lost, and does not wait for a lease")
    void findsItsOwnClaimInTheRecord() throws Exception {
        Duration session = Duration.ofSeconds(60);
        Participant candidate = participant("candidate")
                .session(session)
                .lease(Duration.ofSeconds(50))
                .open();
        var claim = candidate.client().interceptNext(Fate.LOSE_ANSWER, "multi");

        candidate.nominate();

        await().atMost(Duration.ofSeconds(30)).until(candidate::isLeader);
        assertThat(claim.isTriggered()).isTrue();
        assertThat(admin.record().heldBy(Paths.name(admin.node(candidate)))).isTrue();
        assertThat(admin.stat(RECORD).getVersion())
                .as("version after a single claim")
                .isZero();
    }

    @Test
    @Tag("F67")
    @DisplayName("F67: the next candidate completes a deletion that was interrupted, and the election starts afresh")
    void completesTheDeletionOfAnother() throws Exception {
        admin.createElection();
        byte[] ended = LeaderRecord.held("c-gone-0000000000", 1, 500).ended().toJson();
        admin.create(RECORD, ended);
        long before = admin.stat(PATH).getCzxid();

        Participant candidate = participant("candidate").session(LONG_SESSION).nominate();

        candidate.awaitLeading();
        assertThat(admin.stat(PATH).getCzxid()).isGreaterThan(before);
        assertThat(admin.record().state()).isEqualTo(LeaderRecord.State.HELD);
        eventually().untilAsserted(() -> assertThat(candidate.events()).containsExactly("granted 1"));
    }

    @Test
    @Tag("F68")
    @DisplayName("F68: a guarded write of a deposed leader fails even if the election was created again")
    void guardsByTheOwnNode() throws Exception {
        admin.create("/resource", new byte[0]);
        Participant old = participant("old").session(LONG_SESSION).nominate();
        Leadership deposed = old.awaitLeading();
        int version = admin.stat(RECORD).getVersion();
        old.proxy().blackHole();
        admin.deleteAll(PATH);
        admin.createElection();
        Leadership term = participant("fresh").session(LONG_SESSION).nominate().awaitLeading();
        assertThat(admin.stat(RECORD).getVersion())
                .as("version of the new record")
                .isEqualTo(version);

        assertThatThrownBy(() -> write(deposed)).isInstanceOf(KeeperException.NoNodeException.class);
        write(term);
        assertThat(admin.stat("/resource").getVersion()).isEqualTo(1);
    }

    private void write(Leadership term) throws Exception {
        admin.client().multi(List.of(term.guard(), Op.setData("/resource", new byte[] {1}, -1)));
    }

    @Test
    @Tag("F69")
    @DisplayName("F69: a candidate deletes a lower twin of the node it has led with, and never adopts it")
    void doesNotAdoptALowerTwin() throws Exception {
        admin.createElection();
        Participant candidate = participant("candidate").session(LONG_SESSION).open();
        StaleZooKeeper client = candidate.client();
        // The answer to the create is lost, and a lagging server does not show the node, so that a second one is
        // created.
        client.interceptNext(Fate.LOSE_ANSWER, ElectionTestSupport::createsCandidate);
        client.hide(child -> child.endsWith("-0000000000"));
        long token = candidate.nominate().awaitLeading().fencingToken();
        assertThat(admin.nodes()).hasSize(2);
        String twin = PATH + "/" + admin.nodes().get(0);
        assertThat(admin.node(token)).isNotEqualTo(twin);
        // Now the twin is visible, its first deletion fails, and the term ends.
        client.hideNothing();
        var deletion = client.interceptNext(Fate.LOSE_REQUEST, "delete");
        candidate.proxy().cut();
        candidate.awaitNotLeading();
        candidate.proxy().open();

        assertThat(candidate.awaitLeading().fencingToken()).isGreaterThanOrEqualTo(token);
        eventually().until(() -> !admin.exists(twin));
        assertThat(deletion.isTriggered()).isTrue();
        assertThat(candidate.awaitLeading().fencingToken()).isGreaterThanOrEqualTo(token);
    }

    @Test
    @Tag("F69")
    @DisplayName("F69: a candidate with a lower token than the record joins again instead of leading")
    void doesNotLeadWithALowerTokenThanTheRecords() throws Exception {
        admin.createElection();
        Participant candidate = participant("candidate").session(LONG_SESSION).open();
        admin.create(RECORD, new byte[0]);
        // Nodes that are created soon after this have a lower czxid.
        long token = admin.stat(RECORD).getMzxid() + 4;
        admin.write(RECORD, LeaderRecord.released(token, 500).toJson());

        assertThat(candidate.nominate().awaitLeading().fencingToken()).isGreaterThan(token);
        assertThat(admin.nodes()).hasSize(1);
    }
}
