package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What went wrong in earlier drafts of this protocol: lost answers, late commits, elections made again, falling tokens. */
class ProtocolFaultTests {

    private static final Duration SESSION = Duration.ofSeconds(6);

    private final Scene scene = new Scene();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    @Tag("F65")
    @DisplayName("F65: who began to hand over never leads by that node again, even if the answer was lost")
    void doesNotResumeAfterALostHandOver() throws Exception {
        Peer leader = scene.peer("leader", SESSION).nominate();
        Leadership term = leader.leads();
        Peer heir = scene.peer("heir", SESSION).nominate().follows();
        var handOver = leader.client().next(Fate.LOSE_ANSWER_DELAY_REQUEST, "multi");
        // It looks what became of it: all is as before. And once more, in vain.
        var again = leader.client().next(Fate.LOSE_ANSWER_DELAY_REQUEST, "multi");
        var held = leader.client().next(Fate.DELAY_REQUEST, "multi");

        var steppedDown = Peer.inBackground(leader.election::stepDown);
        await().atMost(Peer.PATIENCE).until(() -> handOver.isMet() && again.isMet() && held.isMet());
        assertThat(leader.election.role()).isEqualTo(Role.CANDIDATE);
        assertThat(scene.nodes()).hasSize(2);
        assertThat(leader.isLeader()).isFalse();

        handOver.release();
        heir.leads();
        again.release();
        held.release();

        steppedDown.get(20, TimeUnit.SECONDS);
        leader.follows();
        assertThat(leader.token()).isGreaterThan(heir.token());
        assertThat(term.isValid()).isFalse();
        await().untilAsserted(
                        () -> assertThat(leader.recorder.events()).containsExactly("granted", "revoked STEPPED_DOWN"));
        await().untilAsserted(() -> assertThat(heir.recorder.events()).containsExactly("granted"));
        assertThat(heir.isLeader()).isTrue();
    }

    @Test
    @Tag("F66")
    @DisplayName("F66: a claim whose answer was lost is found in the record, and no lease is waited out for it")
    void findsItsOwnClaimInTheRecord() throws Exception {
        Duration session = Duration.ofSeconds(60);
        Peer candidate = scene.peer("candidate", session, options -> options.lease(Duration.ofSeconds(50)));
        var claim = candidate.client().next(Fate.LOSE_ANSWER, "multi");

        candidate.nominate();

        await().atMost(Duration.ofSeconds(30)).until(candidate::isLeader);
        assertThat(claim.isMet()).isTrue();
        assertThat(scene.record().heldBy(Paths.name(scene.node(candidate)))).isTrue();
        assertThat(scene.stat(Scene.RECORD).getVersion()).as("claimed once").isZero();
    }

    @Test
    @Tag("F67")
    @DisplayName(
            "F67: an election whose deleter died half-way is cleared away by whoever comes next, and starts afresh")
    void completesTheDeletionOfAnother() throws Exception {
        scene.makeElection();
        byte[] ended = LeaderRecord.held("c-gone-0000000000", 1, 500).ended().toJson();
        scene.admin.create(Scene.RECORD, ended, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        long before = scene.stat(Scene.PATH).getCzxid();

        Peer candidate = scene.peer("candidate", SESSION).nominate();

        candidate.leads();
        assertThat(scene.stat(Scene.PATH).getCzxid()).isGreaterThan(before);
        assertThat(scene.record().state()).isEqualTo(LeaderRecord.State.HELD);
        await().untilAsserted(() -> assertThat(candidate.recorder.events()).containsExactly("granted"));
    }

    @Test
    @Tag("F68")
    @DisplayName("F68: a deposed leader's guarded write fails also in an election that was made again")
    void guardsByTheOwnNode() throws Exception {
        scene.admin.create("/resource", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        Peer old = scene.peer("old", SESSION).nominate();
        Leadership deposed = old.leads();
        int version = scene.stat(Scene.RECORD).getVersion();
        old.connection.blackHole();
        scene.wipe();
        scene.makeElection();
        Leadership term = scene.peer("fresh", SESSION).nominate().leads();
        assertThat(scene.stat(Scene.RECORD).getVersion())
                .as("versions start again")
                .isEqualTo(version);

        assertThatThrownBy(() -> write(deposed)).isInstanceOf(KeeperException.NoNodeException.class);
        write(term);
        assertThat(scene.stat("/resource").getVersion()).isEqualTo(1);
    }

    private void write(Leadership term) throws Exception {
        scene.admin.multi(List.of(term.guard(), Op.setData("/resource", new byte[] {1}, -1)));
    }

    @Test
    @Tag("F69")
    @DisplayName("F69: a lower twin of the node that has led is deleted, never adopted")
    void doesNotAdoptALowerTwin() throws Exception {
        scene.makeElection();
        Peer candidate = scene.peer("candidate", SESSION);
        StaleZooKeeper client = candidate.client();
        // The answer to the create is lost, and a server that lags behind doesn't show its node: it makes another.
        client.next(Fate.LOSE_ANSWER, ProtocolFaultTests::createsCandidate);
        client.hide(child -> child.endsWith("-0000000000"));
        long token = candidate.nominate().leads().fencingToken();
        assertThat(scene.nodes()).hasSize(2);
        String twin = Scene.PATH + "/" + scene.nodes().get(0);
        assertThat(scene.node(token)).isNotEqualTo(twin);
        // Now the twin shows, its first deletion fails, and the term ends.
        client.hideNothing();
        var deletion = client.next(Fate.LOSE_REQUEST, (operation, path) -> operation.equals("delete"));
        candidate.connection.cut();
        candidate.leadsNoMore();
        candidate.connection.open();

        assertThat(candidate.leads().fencingToken()).isGreaterThanOrEqualTo(token);
        await().atMost(Peer.PATIENCE).until(() -> !scene.exists(twin));
        assertThat(deletion.isMet()).isTrue();
        assertThat(candidate.leads().fencingToken()).isGreaterThanOrEqualTo(token);
    }

    private static boolean createsCandidate(String operation, String path) {
        return operation.equals("create") && path.startsWith(Scene.PATH + "/c-");
    }

    @Test
    @Tag("F69")
    @DisplayName("F69: who is older than the last leader's token joins afresh instead of leading with a lower one")
    void doesNotLeadWithALowerTokenThanTheRecords() throws Exception {
        scene.makeElection();
        Peer candidate = scene.peer("candidate", SESSION);
        scene.admin.create(Scene.RECORD, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        // Nodes that are made soon after this have a lower czxid.
        long token = scene.stat(Scene.RECORD).getMzxid() + 4;
        scene.admin.setData(Scene.RECORD, LeaderRecord.released(token, 500).toJson(), -1);

        assertThat(candidate.nominate().leads().fencingToken()).isGreaterThan(token);
        assertThat(scene.nodes()).hasSize(1);
    }
}
