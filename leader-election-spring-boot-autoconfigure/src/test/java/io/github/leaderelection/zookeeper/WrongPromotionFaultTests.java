package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.fixture.StaleZooKeeper;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody comes to lead who is not first, or by a node that is not its own of its current session. */
class WrongPromotionFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F2")
    @DisplayName("F2: who loses its predecessor lists again, and follows the next one instead of leading")
    void listsAgainWhenThePredecessorGoes() throws Exception {
        Participant first = participant("first").nominate();
        first.awaitLeading();
        Participant middle = participant("middle").nominate().awaitFollowing();
        Participant last = participant("last").nominate().awaitFollowing();
        String leader = Paths.name(admin.node(first));

        server.expire(middle.client());

        eventually()
                .untilAsserted(
                        () -> assertThat(last.election().status().following()).contains(leader));
        assertThat(last.events()).isEmpty();
        assertThat(first.isLeader()).isTrue();
    }

    @Test
    @Tag("F3")
    @DisplayName("F3: who is on its way out does not lead, whatever becomes of the others before its delete lands")
    void doesNotLeadWhileItsOwnDeleteIsUnderWay() throws Exception {
        Participant leader = participant("leader").nominate();
        leader.awaitLeading();
        Participant heir = participant("heir").nominate().awaitFollowing();
        long leaving = heir.token();
        var delete = heir.client().interceptNext(Fate.DELAY_REQUEST, "delete");
        // What was sent after the delete comes after it.
        var read = heir.client().interceptNext(Fate.DELAY_REQUEST, (operation, path) -> path.equals(RECORD));

        var withdrawn = inBackground(heir.election()::withdraw);
        eventually().until(() -> delete.isTriggered() && read.isTriggered());
        heir.nominate();
        leader.election().close();
        eventually().untilAsserted(() -> assertThat(admin.nodes()).containsExactly(Paths.name(admin.node(leaving))));

        assertThat(heir.election().status().role()).isEqualTo(Role.CANDIDATE);
        assertThat(heir.events()).isEmpty();
        delete.release();
        read.release();
        assertThat(heir.awaitLeading().fencingToken()).isGreaterThan(leaving);
        assertThat(admin.nodes()).hasSize(1);
        withdrawn.get(20, TimeUnit.SECONDS);
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
        Participant leader = participant("leader").session(session).nominate();
        long token = leader.awaitLeading().fencingToken();
        Participant follower =
                participant("follower").session(session).nominate().awaitFollowing();
        List<String> nodes = admin.nodes();

        for (Participant peer : List.of(leader, follower)) {
            for (int cut = 0; cut < 2; cut++) {
                SocketAddress before = Objects.requireNonNull(peer.client().localAddress());
                peer.proxy().cutOnce();
                eventually()
                        .pollInterval(Duration.ofMillis(1))
                        .ignoreExceptions()
                        .until(() -> changed(before, peer.client().localAddress())
                                && peer.client().exists("/", false) != null);
            }
        }

        eventually()
                .untilAsserted(() ->
                        assertThat(follower.election().status().following()).contains(Paths.name(admin.node(token))));
        assertThat(leader.awaitLeading().fencingToken()).isEqualTo(token);
        assertThat(admin.nodes()).isEqualTo(nodes);
        eventually().untilAsserted(() -> assertThat(leader.events()).containsExactly("granted 1"));
        assertThat(follower.events()).isEmpty();
    }

    @Test
    @Tag("F5")
    @DisplayName("F5: a create that is interrupted by two losses in a row ends in one node, which is never deleted")
    void recoversFromTwoLossesWithOneNode() throws Exception {
        admin.createElection();
        Participant peer = participant("candidate").open();
        var create = peer.client()
                .interceptNext(
                        Fate.LOSE_ANSWER, (operation, path) -> operation.equals("create") && path.contains("/c-"));
        var look = peer.client().interceptNext(Fate.LOSE_ANSWER, (operation, path) -> create.isTriggered());
        peer.client().drainRequests();

        long token = peer.nominate().awaitLeading().fencingToken();

        assertThat(look.isTriggered()).isTrue();
        assertThat(admin.nodes()).containsExactly(Paths.name(admin.node(token)));
        assertThat(peer.client().drainRequests())
                .filteredOn(request -> request.startsWith("create") && request.contains("/c-"))
                .hasSize(1);
    }

    @Test
    @Tag("F4")
    @DisplayName("F4: on a new session it stands behind its own old node, and leads only after that has gone")
    void doesNotLeadByTheNodeOfAnEarlierSession() throws Exception {
        Participant peer = participant("candidate").nominate();
        long old = peer.awaitLeading().fencingToken();

        // The client takes its session for expired; for the server, when it is back, it is as good as new.
        server.stop();
        peer.client().getTestable().injectSessionExpiration();
        eventually().until(() -> peer.sessions() == 2);
        server.start();

        eventually()
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(admin.nodes()).hasSize(2));
        assertThat(peer.isLeader()).isFalse();
        eventually().untilAsserted(() -> assertThat(admin.nodes()).hasSize(1));
        long token = peer.awaitLeading().fencingToken();
        assertThat(token).isGreaterThan(old);
        assertThat(admin.stat(admin.node(token)).getEphemeralOwner())
                .isEqualTo(peer.client().getSessionId());
    }

    @Test
    @Tag("F6")
    @DisplayName("F6: a create that was not answered before its session ended is not looked for on the next session")
    void doesNotAdoptTheNodeOfTheClosingSession() throws Exception {
        admin.createElection();
        Participant peer = participant("candidate").open();
        StaleZooKeeper first = peer.client();
        var create = first.interceptNext(
                Fate.LOSE_ANSWER, (operation, path) -> operation.equals("create") && path.contains("/c-"));
        // It looks for its node, and gets no answer before its session is over.
        var write = first.interceptNext(Fate.DELAY_REQUEST, (operation, path) -> operation.equals("setData"));
        var list = first.interceptNext(
                Fate.DELAY_REQUEST, (operation, path) -> operation.equals("getChildren") && write.isTriggered());
        peer.nominate();
        eventually().until(() -> create.isTriggered() && list.isTriggered());
        String orphan = admin.nodes().get(0);
        // The client believes that its session has ended; the server, and the node, know nothing of it.
        peer.proxy().blackHole();
        first.getTestable().injectSessionExpiration();
        eventually().until(() -> peer.sessions() == 2);
        peer.proxy().open();

        long token = peer.awaitLeading().fencingToken();

        String node = admin.node(token);
        assertThat(Paths.name(node)).isNotEqualTo(orphan);
        assertThat(admin.stat(node).getEphemeralOwner()).isEqualTo(peer.client().getSessionId());
        assertThat(admin.exists(PATH + "/" + orphan)).isFalse();
    }

    @Test
    @Tag("F7")
    @DisplayName("F7: the answer to a create that comes after its session ended touches nothing")
    void ignoresTheAnswerToACreateOfAnEarlierSession() throws Exception {
        admin.createElection();
        var joins = new CopyOnWriteArrayList<HeldJoin>();
        Participant peer = participant("candidate")
                .onOpen(client -> joins.add(new HeldJoin(client)))
                .open();
        peer.nominate();
        eventually().until(() -> joins.get(0).isTriggered());
        admin.awaitNodes(1);
        server.expire(peer.client());
        eventually().until(() -> joins.size() == 2 && joins.get(1).isTriggered());
        admin.awaitNodes(1);
        String node = PATH + "/" + admin.nodes().get(0);

        joins.get(0).release();
        assertThat(peer.election().status().candidate()).isEmpty();
        joins.get(1).release();

        assertThat(peer.awaitLeading().fencingToken())
                .isEqualTo(admin.stat(node).getCzxid());
        assertThat(admin.nodes()).containsExactly(Paths.name(node));
        peer.awaitEvents("granted 1");
        assertThat(peer.events()).hasSize(1);
    }

    private static boolean changed(SocketAddress before, @Nullable SocketAddress after) {
        return after != null && !after.equals(before);
    }

    /** The answers to a create, and to the first look after it, wait; answers keep their order. */
    private static final class HeldJoin {
        private final List<LossyZooKeeper.Fault> answers;

        HeldJoin(LossyZooKeeper client) {
            answers = List.of(
                    client.interceptNext(Fate.DELAY_ANSWER, (operation, path) -> path.startsWith(PATH + "/c-")),
                    client.interceptNext(Fate.DELAY_ANSWER, (operation, path) -> path.equals(PATH)),
                    client.interceptNext(Fate.DELAY_ANSWER, (operation, path) -> path.equals(RECORD)));
        }

        boolean isTriggered() {
            return answers.stream().allMatch(LossyZooKeeper.Fault::isTriggered);
        }

        void release() {
            answers.forEach(LossyZooKeeper.Fault::release);
        }
    }

    @Test
    @Tag("F21")
    @DisplayName("F21: a follower whose session ended does not lead by its old node when its predecessor goes")
    void joinsAgainAfterItsSessionEndedWhileItWaited() throws Exception {
        Participant leader = participant("leader").nominate();
        leader.awaitLeading();
        Participant waiter = participant("waiter").nominate().awaitFollowing();
        long old = waiter.token();
        waiter.proxy().blackHole();

        server.expire(waiter.client());
        server.expire(leader.client());
        leader.proxy().cut();
        admin.awaitNodes(0);
        waiter.proxy().open();

        Leadership term = waiter.awaitLeading();
        assertThat(term.fencingToken()).isGreaterThan(old);
        assertThat(admin.stat(admin.node(term.fencingToken())).getEphemeralOwner())
                .isEqualTo(waiter.client().getSessionId());
    }

    @Test
    @Tag("F21")
    @DisplayName("F21: a follower notices the loss of its own node, not only of its predecessor's, and joins again")
    void noticesTheLossOfItsNodeWhileItWaits() throws Exception {
        Participant leader = participant("leader").nominate();
        leader.awaitLeading();
        Participant waiter = participant("waiter").nominate().awaitFollowing();
        long old = waiter.token();

        admin.delete(admin.node(waiter));

        admin.awaitNodes(2);
        waiter.awaitFollowing();
        assertThat(waiter.token()).isGreaterThan(old);
        assertThat(leader.isLeader()).isTrue();
    }

    @Test
    @Tag("F24")
    @DisplayName("F24: a stale list and a stale record cannot make a leader: the claim names the version it has read")
    void claimsOnlyAgainstTheRecordThatItHasRead() throws Exception {
        Participant before = participant("before").nominate();
        before.awaitLeading();
        before.election().close();
        var released = StaleZooKeeper.Snapshot.of(admin.client(), RECORD);
        Participant leader = participant("leader").nominate();
        long token = leader.awaitLeading().fencingToken();
        String held = Paths.name(admin.node(token));
        var claim = new AtomicReference<LossyZooKeeper.Fault>();
        // A server that lags behind: nobody leads there, and nobody is in the queue.
        Participant newcomer = participant("newcomer")
                .onOpen(client -> {
                    client.hide(held::equals);
                    client.readOnce(RECORD, released);
                    claim.set(client.interceptNext(Fate.DELAY_REQUEST, "multi"));
                })
                .open();

        newcomer.nominate();
        eventually().until(() -> claim.get().isTriggered());
        newcomer.client().hideNothing();
        claim.get().release();

        newcomer.awaitFollowing();
        assertThat(newcomer.election().status().following()).contains(held);
        assertThat(newcomer.events()).isEmpty();
        assertThat(admin.record().heldBy(held)).isTrue();
        eventually().untilAsserted(() -> assertThat(leader.events()).containsExactly("granted 1"));
    }
}
