package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody comes to lead who is not first, or by a node that is not its own of its current session. */
class WrongPromotionFaultTests {

    private static final Duration SESSION = Duration.ofSeconds(3);

    private final Scene scene = new Scene();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    @Tag("F2")
    @DisplayName("F2: who loses its predecessor lists again, and follows the next one instead of leading")
    void listsAgainWhenThePredecessorGoes() throws Exception {
        Peer first = scene.peer("first", SESSION).nominate();
        first.leads();
        Peer middle = scene.peer("middle", SESSION).nominate().follows();
        Peer last = scene.peer("last", SESSION).nominate().follows();
        String leader = Paths.name(scene.node(first));

        scene.server.expire(middle.client());

        await().atMost(Peer.PATIENCE)
                .untilAsserted(
                        () -> assertThat(last.election.status().following()).contains(leader));
        assertThat(last.recorder.events()).isEmpty();
        assertThat(first.isLeader()).isTrue();
    }

    @Test
    @Tag("F3")
    @DisplayName("F3: who is on its way out does not lead, whatever becomes of the others before its delete lands")
    void doesNotLeadWhileItsOwnDeleteIsUnderWay() throws Exception {
        Peer leader = scene.peer("leader", SESSION).nominate();
        leader.leads();
        Peer heir = scene.peer("heir", SESSION).nominate().follows();
        long leaving = heir.token();
        var delete = heir.client().next(Fate.DELAY_REQUEST, "delete");
        // What was sent after the delete comes after it.
        var read = heir.client().next(Fate.DELAY_REQUEST, (operation, path) -> path.equals(Scene.RECORD));

        var withdrawn = Peer.inBackground(heir.election::withdraw);
        await().atMost(Peer.PATIENCE).until(() -> delete.isMet() && read.isMet());
        heir.nominate();
        leader.election.close();
        await().atMost(Peer.PATIENCE)
                .untilAsserted(() -> assertThat(scene.nodes()).containsExactly(Paths.name(scene.node(leaving))));

        assertThat(heir.election.status().role()).isEqualTo(Role.CANDIDATE);
        assertThat(heir.recorder.events()).isEmpty();
        delete.release();
        read.release();
        assertThat(heir.leads().fencingToken()).isGreaterThan(leaving);
        assertThat(scene.nodes()).hasSize(1);
        withdrawn.join();
    }

    @Test
    @Tag("F3")
    @Tag("F5")
    @DisplayName("F3, F5: a reconnect resets nothing: two cuts in a row leave everyone's node, place and leader")
    void keepsItsNodeOverTwoReconnectsInARow() throws Exception {
        // The client waits for up to two seconds before each attempt, so the second cut may come before a heartbeat has
        // gone
        // through: a lease must last for both.
        Duration session = Duration.ofSeconds(30);
        Peer leader = scene.peer("leader", session).nominate();
        long token = leader.leads().fencingToken();
        Peer follower = scene.peer("follower", session).nominate().follows();
        List<String> nodes = scene.nodes();

        for (Peer peer : List.of(leader, follower)) {
            for (int cut = 0; cut < 2; cut++) {
                SocketAddress before = Objects.requireNonNull(peer.client().localAddress());
                peer.connection.cutOnce();
                await().pollInterval(Duration.ofMillis(1))
                        .ignoreExceptions()
                        .atMost(Peer.PATIENCE)
                        .until(() -> changed(before, peer.client().localAddress())
                                && peer.client().exists("/", false) != null);
            }
        }

        await().atMost(Peer.PATIENCE)
                .untilAsserted(() ->
                        assertThat(follower.election.status().following()).contains(Paths.name(scene.node(token))));
        assertThat(leader.leads().fencingToken()).isEqualTo(token);
        assertThat(scene.nodes()).isEqualTo(nodes);
        await().untilAsserted(() -> assertThat(leader.recorder.events()).containsExactly("granted"));
        assertThat(follower.recorder.events()).isEmpty();
    }

    @Test
    @Tag("F5")
    @DisplayName("F5: a create that is interrupted by two losses in a row ends in one node, which is never deleted")
    void recoversFromTwoLossesWithOneNode() throws Exception {
        scene.makeElection();
        Peer peer = scene.peer("candidate", SESSION);
        var create = peer.client()
                .next(Fate.LOSE_ANSWER, (operation, path) -> operation.equals("create") && path.contains("/c-"));
        var look = peer.client().next(Fate.LOSE_ANSWER, (operation, path) -> create.isMet());
        peer.client().drainLog();

        long token = peer.nominate().leads().fencingToken();

        assertThat(look.isMet()).isTrue();
        assertThat(scene.nodes()).containsExactly(Paths.name(scene.node(token)));
        assertThat(peer.client().drainLog())
                .filteredOn(request -> request.startsWith("create") && request.contains("/c-"))
                .hasSize(1);
    }

    @Test
    @Tag("F4")
    @DisplayName("F4: on a new session it stands behind its own old node, and leads only after that has gone")
    void doesNotLeadByTheNodeOfAnEarlierSession() throws Exception {
        Peer peer = scene.peer("candidate", SESSION).nominate();
        long old = peer.leads().fencingToken();

        // The client takes its session for expired; for the server, when it is back, it is as good as new.
        scene.server.stop();
        peer.client().getTestable().injectSessionExpiration();
        await().atMost(Peer.PATIENCE).until(() -> peer.sessions() == 2);
        scene.server.start();

        await().atMost(Peer.PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(scene.nodes()).hasSize(2));
        assertThat(peer.isLeader()).isFalse();
        await().atMost(Peer.PATIENCE)
                .untilAsserted(() -> assertThat(scene.nodes()).hasSize(1));
        long token = peer.leads().fencingToken();
        assertThat(token).isGreaterThan(old);
        assertThat(scene.stat(scene.node(token)).getEphemeralOwner())
                .isEqualTo(peer.client().getSessionId());
    }

    @Test
    @Tag("F6")
    @DisplayName("F6: a create that was not answered before its session ended is not looked for on the next session")
    void doesNotAdoptTheNodeOfTheClosingSession() throws Exception {
        scene.makeElection();
        Peer peer = scene.peer("candidate", SESSION);
        StaleZooKeeper first = peer.client();
        var create =
                first.next(Fate.LOSE_ANSWER, (operation, path) -> operation.equals("create") && path.contains("/c-"));
        // It looks for its node, and gets no answer before its session is over.
        var write = first.next(Fate.DELAY_REQUEST, (operation, path) -> operation.equals("setData"));
        var list =
                first.next(Fate.DELAY_REQUEST, (operation, path) -> operation.equals("getChildren") && write.isMet());
        peer.nominate();
        await().atMost(Peer.PATIENCE).until(() -> create.isMet() && list.isMet());
        String orphan = scene.nodes().get(0);
        // The client believes that its session has ended; the server, and the node, know nothing of it.
        peer.connection.blackHole();
        first.getTestable().injectSessionExpiration();
        await().atMost(Peer.PATIENCE).until(() -> peer.sessions() == 2);
        peer.connection.open();

        long token = peer.leads().fencingToken();

        String node = scene.node(token);
        assertThat(Paths.name(node)).isNotEqualTo(orphan);
        assertThat(scene.stat(node).getEphemeralOwner()).isEqualTo(peer.client().getSessionId());
        assertThat(scene.exists(Scene.PATH + "/" + orphan)).isFalse();
    }

    @Test
    @Tag("F7")
    @DisplayName("F7: the answer to a create that comes after its session ended touches nothing")
    void ignoresTheAnswerToACreateOfAnEarlierSession() throws Exception {
        scene.makeElection();
        var joins = new CopyOnWriteArrayList<HeldJoin>();
        Peer peer = scene.peer("candidate", SESSION, options -> options, client -> joins.add(new HeldJoin(client)));
        peer.nominate();
        await().atMost(Peer.PATIENCE).until(() -> joins.get(0).isMet());
        scene.awaitCandidates(1);
        scene.server.expire(peer.client());
        await().atMost(Peer.PATIENCE)
                .until(() -> joins.size() == 2 && joins.get(1).isMet());
        scene.awaitCandidates(1);
        String node = Scene.PATH + "/" + scene.nodes().get(0);

        joins.get(0).release();
        assertThat(peer.election.status().candidate()).isEmpty();
        joins.get(1).release();

        assertThat(peer.leads().fencingToken()).isEqualTo(scene.stat(node).getCzxid());
        assertThat(scene.nodes()).containsExactly(Paths.name(node));
        peer.hears("granted");
        assertThat(peer.recorder.events()).hasSize(1);
    }

    private static boolean changed(SocketAddress before, @Nullable SocketAddress after) {
        return after != null && !after.equals(before);
    }

    /** The answers to a create, and to the first look after it, wait; answers keep their order. */
    private static final class HeldJoin {
        private final List<LossyZooKeeper.Fault> answers;

        HeldJoin(LossyZooKeeper client) {
            answers = List.of(
                    client.next(Fate.DELAY_ANSWER, (operation, path) -> path.startsWith(Scene.PATH + "/c-")),
                    client.next(Fate.DELAY_ANSWER, (operation, path) -> path.equals(Scene.PATH)),
                    client.next(Fate.DELAY_ANSWER, (operation, path) -> path.equals(Scene.RECORD)));
        }

        boolean isMet() {
            return answers.stream().allMatch(LossyZooKeeper.Fault::isMet);
        }

        void release() {
            answers.forEach(LossyZooKeeper.Fault::release);
        }
    }

    @Test
    @Tag("F21")
    @DisplayName("F21: a follower whose session ended does not lead by its old node when its predecessor goes")
    void joinsAgainAfterItsSessionEndedWhileItWaited() throws Exception {
        Peer leader = scene.peer("leader", SESSION).nominate();
        leader.leads();
        Peer waiter = scene.peer("waiter", SESSION).nominate().follows();
        long old = waiter.token();
        waiter.connection.blackHole();

        scene.server.expire(waiter.client());
        scene.server.expire(leader.client());
        leader.connection.cut();
        scene.awaitCandidates(0);
        waiter.connection.open();

        Leadership term = waiter.leads();
        assertThat(term.fencingToken()).isGreaterThan(old);
        assertThat(scene.stat(scene.node(term.fencingToken())).getEphemeralOwner())
                .isEqualTo(waiter.client().getSessionId());
    }

    @Test
    @Tag("F21")
    @DisplayName("F21: a follower notices the loss of its own node, not only of its predecessor's, and joins again")
    void noticesTheLossOfItsNodeWhileItWaits() throws Exception {
        Peer leader = scene.peer("leader", SESSION).nominate();
        leader.leads();
        Peer waiter = scene.peer("waiter", SESSION).nominate().follows();
        long old = waiter.token();

        scene.delete(scene.node(waiter));

        scene.awaitCandidates(2);
        waiter.follows();
        assertThat(waiter.token()).isGreaterThan(old);
        assertThat(leader.isLeader()).isTrue();
    }

    @Test
    @Tag("F24")
    @DisplayName("F24: a stale list and a stale record cannot make a leader: the claim names the version it has read")
    void claimsOnlyAgainstTheRecordThatItHasRead() throws Exception {
        Peer before = scene.peer("before", SESSION).nominate();
        before.leads();
        before.election.close();
        var released = StaleZooKeeper.Image.of(scene.admin, Scene.RECORD);
        Peer leader = scene.peer("leader", SESSION).nominate();
        long token = leader.leads().fencingToken();
        String held = Paths.name(scene.node(token));
        var claim = new AtomicReference<LossyZooKeeper.Fault>();
        // A server that lags behind: nobody leads there, and nobody is in the queue.
        Peer newcomer = scene.peer("newcomer", SESSION, options -> options, client -> {
            client.hide(held::equals);
            client.readOnce(Scene.RECORD, released);
            claim.set(client.next(Fate.DELAY_REQUEST, "multi"));
        });

        newcomer.nominate();
        await().atMost(Peer.PATIENCE).until(() -> claim.get().isMet());
        newcomer.client().hideNothing();
        claim.get().release();

        newcomer.follows();
        assertThat(newcomer.election.status().following()).contains(held);
        assertThat(newcomer.recorder.events()).isEmpty();
        assertThat(scene.record().heldBy(held)).isTrue();
        await().untilAsserted(() -> assertThat(leader.recorder.events()).containsExactly("granted"));
    }
}
