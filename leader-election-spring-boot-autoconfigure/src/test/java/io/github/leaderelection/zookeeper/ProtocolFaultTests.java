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
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What went wrong in earlier drafts of this protocol: lost answers, late commits, elections made again, falling tokens. */
class ProtocolFaultTests extends ElectionTestSupport {

    private static final Duration SESSION = Duration.ofSeconds(6);

    @Test
    @Tag("F65")
    @DisplayName("F65: who began to hand over never leads by that node again, even if the answer was lost")
    void doesNotResumeAfterALostHandOver() throws Exception {
        Participant leader = participant("leader").session(SESSION).nominate();
        Leadership term = leader.awaitLeading();
        Participant heir = participant("heir").session(SESSION).nominate().awaitFollowing();
        var handOver = leader.client().interceptNext(Fate.LOSE_ANSWER_DELAY_REQUEST, "multi");
        // It looks what became of it: all is as before. And once more, in vain.
        var again = leader.client().interceptNext(Fate.LOSE_ANSWER_DELAY_REQUEST, "multi");
        var held = leader.client().interceptNext(Fate.DELAY_REQUEST, "multi");

        var steppedDown = inBackground(leader.election()::stepDown);
        eventually().until(() -> handOver.isTriggered() && again.isTriggered() && held.isTriggered());
        assertThat(leader.election().role()).isEqualTo(Role.CANDIDATE);
        assertThat(admin.nodes()).hasSize(2);
        assertThat(leader.isLeader()).isFalse();

        handOver.release();
        heir.awaitLeading();
        again.release();
        held.release();

        steppedDown.get(20, TimeUnit.SECONDS);
        leader.awaitFollowing();
        assertThat(leader.token()).isGreaterThan(heir.token());
        assertThat(term.isValid()).isFalse();
        eventually()
                .untilAsserted(
                        () -> assertThat(leader.events()).containsExactly("granted 1", "revoked 1 STEPPED_DOWN"));
        eventually().untilAsserted(() -> assertThat(heir.events()).containsExactly("granted 1"));
        assertThat(heir.isLeader()).isTrue();
    }

    @Test
    @Tag("F66")
    @DisplayName("F66: a claim whose answer was lost is found in the record, and no lease is waited out for it")
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
        assertThat(admin.stat(RECORD).getVersion()).as("claimed once").isZero();
    }

    @Test
    @Tag("F67")
    @DisplayName(
            "F67: an election whose deleter died half-way is cleared away by whoever comes next, and starts afresh")
    void completesTheDeletionOfAnother() throws Exception {
        admin.createElection();
        byte[] ended = LeaderRecord.held("c-gone-0000000000", 1, 500).ended().toJson();
        admin.client().create(RECORD, ended, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        long before = admin.stat(PATH).getCzxid();

        Participant candidate = participant("candidate").session(SESSION).nominate();

        candidate.awaitLeading();
        assertThat(admin.stat(PATH).getCzxid()).isGreaterThan(before);
        assertThat(admin.record().state()).isEqualTo(LeaderRecord.State.HELD);
        eventually().untilAsserted(() -> assertThat(candidate.events()).containsExactly("granted 1"));
    }

    @Test
    @Tag("F68")
    @DisplayName("F68: a deposed leader's guarded write fails also in an election that was made again")
    void guardsByTheOwnNode() throws Exception {
        admin.client().create("/resource", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        Participant old = participant("old").session(SESSION).nominate();
        Leadership deposed = old.awaitLeading();
        int version = admin.stat(RECORD).getVersion();
        old.proxy().blackHole();
        admin.deleteAll(PATH);
        admin.createElection();
        Leadership term = participant("fresh").session(SESSION).nominate().awaitLeading();
        assertThat(admin.stat(RECORD).getVersion()).as("versions start again").isEqualTo(version);

        assertThatThrownBy(() -> write(deposed)).isInstanceOf(KeeperException.NoNodeException.class);
        write(term);
        assertThat(admin.stat("/resource").getVersion()).isEqualTo(1);
    }

    private void write(Leadership term) throws Exception {
        admin.client().multi(List.of(term.guard(), Op.setData("/resource", new byte[] {1}, -1)));
    }

    @Test
    @Tag("F69")
    @DisplayName("F69: a lower twin of the node that has led is deleted, never adopted")
    void doesNotAdoptALowerTwin() throws Exception {
        admin.createElection();
        Participant candidate = participant("candidate").session(SESSION).open();
        StaleZooKeeper client = candidate.client();
        // The answer to the create is lost, and a server that lags behind doesn't show its node: it makes another.
        client.interceptNext(Fate.LOSE_ANSWER, ProtocolFaultTests::createsCandidate);
        client.hide(child -> child.endsWith("-0000000000"));
        long token = candidate.nominate().awaitLeading().fencingToken();
        assertThat(admin.nodes()).hasSize(2);
        String twin = PATH + "/" + admin.nodes().get(0);
        assertThat(admin.node(token)).isNotEqualTo(twin);
        // Now the twin shows, its first deletion fails, and the term ends.
        client.hideNothing();
        var deletion = client.interceptNext(Fate.LOSE_REQUEST, (operation, path) -> operation.equals("delete"));
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
    @DisplayName("F69: who is older than the last leader's token joins afresh instead of leading with a lower one")
    void doesNotLeadWithALowerTokenThanTheRecords() throws Exception {
        admin.createElection();
        Participant candidate = participant("candidate").session(SESSION).open();
        admin.client().create(RECORD, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        // Nodes that are made soon after this have a lower czxid.
        long token = admin.stat(RECORD).getMzxid() + 4;
        admin.client().setData(RECORD, LeaderRecord.released(token, 500).toJson(), -1);

        assertThat(candidate.nominate().awaitLeading().fencingToken()).isGreaterThan(token);
        assertThat(admin.nodes()).hasSize(1);
    }
}
