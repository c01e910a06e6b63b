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

/** A candidate leads only if it is first in the queue, and only with its own node of its current session. */
class WrongPromotionFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F2")
    @DisplayName("F2: a candidate that loses its predecessor lists again, and follows the next one instead of leading")
    void listsAgainWhenThePredecessorLeaves() throws Exception {
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
    @DisplayName(
            "F3: a candidate that is leaving does not lead, even if all others leave before its delete is carried out")
    void doesNotLeadWhileItsDeleteIsInFlight() throws Exception {
        Participant leader = participant("leader").nominate();
        leader.awaitLeading();
        Participant follower = participant("follower").nominate().awaitFollowing();
        String leaving = admin.node(follower);
        var delete = follower.client().interceptNext(Fate.DELAY_REQUEST, "delete");
        // A request that is sent after the delete must not overtake it.
        var read = follower.client().interceptNext(Fate.DELAY_REQUEST, (operation, path) -> path.equals(RECORD));

        var withdrawn = inBackground(follower.election()::withdraw);
        eventually().until(() -> delete.isTriggered() && read.isTriggered());
        follower.nominate();
        leader.election().close();
        eventually().untilAsserted(() -> assertThat(admin.nodes()).containsExactly(Paths.name(leaving)));

        assertThat(follower.election().status().role()).isEqualTo(Role.CANDIDATE);
        assertThat(follower.events()).isEmpty();
        delete.release();
        read.release();
        assertThat(admin.node(follower.awaitLeading().fencingToken())).isNotEqualTo(leaving);
        assertThat(admin.nodes()).hasSize(1);
        withdrawn.get(20, TimeUnit.SECONDS);
    }

    @Test
    @Tag("F3")
    @Tag("F5")
    @DisplayName("F3, F5: after two quick reconnects all candidates keep their node, their place and their leader")
    void keepsItsNodeOverTwoReconnectsInARow() throws Exception {
        // The client waits for up to two seconds before it reconnects, so that the second cut may come before a
        // heartbeat: the lease must be long enough for both.
        Duration session = Duration.ofSeconds(30);
        Participant leader = participant("leader").session(session).nominate();
        long token = leader.awaitLeading().fencingToken();
        Participant follower =
                participant("follower").session(session).nominate().awaitFollowing();
        List<String> nodes = admin.nodes();

        for (Participant participant : List.of(leader, follower)) {
            for (int cut = 0; cut < 2; cut++) {
                SocketAddress before =
                        Objects.requireNonNull(participant.client().localAddress());
                participant.proxy().cutOnce();
                eventually()
                        .pollInterval(Duration.ofMillis(1))
                        .ignoreExceptions()
                        .until(() -> changed(before, participant.client().localAddress())
                                && participant.client().exists("/", false) != null);
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
    @DisplayName("F5: a create that is interrupted by two connection losses ends in one node, which is never deleted")
    void recoversFromTwoLossesWithOneNode() throws Exception {
        admin.createElection();
        Participant candidate = participant("candidate").open();
        var create = candidate.client().interceptNext(Fate.LOSE_ANSWER, ElectionTestSupport::createsCandidate);
        var search = candidate.client().interceptNext(Fate.LOSE_ANSWER, (operation, path) -> create.isTriggered());
        candidate.client().drainRequests();

        long token = candidate.nominate().awaitLeading().fencingToken();

        assertThat(search.isTriggered()).isTrue();
        assertThat(admin.nodes()).containsExactly(Paths.name(admin.node(token)));
        assertThat(candidateCreates(candidate.client().drainRequests())).isEqualTo(1);
    }

    @Test
    @Tag("F4")
    @DisplayName("F4: a candidate on a new session deletes its old node, and leads with another one")
    void doesNotLeadWithTheNodeOfAnEarlierSession() throws Exception {
        Participant candidate = participant("candidate").nominate();
        long old = candidate.awaitLeading().fencingToken();
        String oldNode = admin.nodes().get(0);

        // The client believes that its session has expired; the server does not when it is back.
        server.stop();
        candidate.client().getTestable().injectSessionExpiration();
        eventually().until(() -> candidate.sessions() == 2);
        server.start();

        long token = candidate.awaitLeading().fencingToken();
        assertThat(token).isGreaterThan(old);
        eventually()
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(admin.nodes()).hasSize(1).doesNotContain(oldNode));
        assertThat(admin.stat(admin.node(token)).getEphemeralOwner())
                .isEqualTo(candidate.client().getSessionId());
    }

    @Test
    @Tag("F6")
    @DisplayName("F6: a candidate does not search for a create of its previous session on the next one")
    void doesNotAdoptTheNodeOfTheClosingSession() throws Exception {
        admin.createElection();
        Participant candidate = participant("candidate").open();
        StaleZooKeeper first = candidate.client();
        var create = first.interceptNext(Fate.LOSE_ANSWER, ElectionTestSupport::createsCandidate);
        // It searches for its node, and its session ends before the answer.
        var write = first.interceptNext(Fate.DELAY_REQUEST, (operation, path) -> operation.equals("multi"));
        var list = first.interceptNext(
                Fate.DELAY_REQUEST, (operation, path) -> operation.equals("getChildren") && write.isTriggered());
        candidate.nominate();
        eventually().until(() -> create.isTriggered() && list.isTriggered());
        String orphan = admin.nodes().get(0);
        // The client believes that its session has expired; for the server it lives on, and so does the node.
        candidate.proxy().blackHole();
        first.getTestable().injectSessionExpiration();
        eventually().until(() -> candidate.sessions() == 2);
        candidate.proxy().open();

        long token = candidate.awaitLeading().fencingToken();

        String node = admin.node(token);
        assertThat(Paths.name(node)).isNotEqualTo(orphan);
        assertThat(admin.stat(node).getEphemeralOwner())
                .isEqualTo(candidate.client().getSessionId());
        assertThat(admin.exists(PATH + "/" + orphan)).isFalse();
    }

    @Test
    @Tag("F7")
    @DisplayName("F7: the answer to a create that arrives after its session has ended has no effect")
    void ignoresTheAnswerToACreateOfAnEarlierSession() throws Exception {
        admin.createElection();
        var joins = new CopyOnWriteArrayList<DelayedJoin>();
        Participant candidate = participant("candidate")
                .onOpen(client -> joins.add(new DelayedJoin(client)))
                .open();
        candidate.nominate();
        eventually().until(() -> joins.get(0).isTriggered());
        admin.awaitNodes(1);
        server.expire(candidate.client());
        eventually().until(() -> joins.size() == 2 && joins.get(1).isTriggered());
        admin.awaitNodes(1);
        String node = PATH + "/" + admin.nodes().get(0);

        joins.get(0).release();
        assertThat(candidate.election().status().candidate()).isEmpty();
        joins.get(1).release();

        assertThat(admin.node(candidate.awaitLeading().fencingToken())).isEqualTo(node);
        assertThat(admin.nodes()).containsExactly(Paths.name(node));
        candidate.awaitEvents("granted 1");
        assertThat(candidate.events()).hasSize(1);
    }

    private static boolean changed(SocketAddress before, @Nullable SocketAddress after) {
        return after != null && !after.equals(before);
    }

    /** Delays the answers to a create and to the first reads after it. */
    private static final class DelayedJoin {
        private final List<LossyZooKeeper.Fault> answers;

        DelayedJoin(LossyZooKeeper client) {
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
    @DisplayName("F21: a follower whose session has ended does not lead with its old node when its predecessor leaves")
    void joinsAgainAfterItsSessionEndedWhileItFollowed() throws Exception {
        Participant leader = participant("leader").nominate();
        leader.awaitLeading();
        Participant follower = participant("follower").nominate().awaitFollowing();
        long old = follower.sequence();
        follower.proxy().blackHole();

        server.expire(follower.client());
        server.expire(leader.client());
        leader.proxy().cut();
        admin.awaitNodes(0);
        follower.proxy().open();

        Leadership term = follower.awaitLeading();
        assertThat(term.fencingToken()).isGreaterThan(old);
        assertThat(admin.stat(admin.node(term.fencingToken())).getEphemeralOwner())
                .isEqualTo(follower.client().getSessionId());
    }

    @Test
    @Tag("F21")
    @DisplayName("F21: a follower notices the loss of its own node and rejoins")
    void noticesTheLossOfItsNodeWhileItFollows() throws Exception {
        Participant leader = participant("leader").nominate();
        leader.awaitLeading();
        Participant follower = participant("follower").nominate().awaitFollowing();
        long old = follower.sequence();

        admin.delete(admin.node(follower));

        admin.awaitNodes(2);
        follower.awaitFollowing();
        assertThat(follower.sequence()).isGreaterThan(old);
        assertThat(leader.isLeader()).isTrue();
    }

    @Test
    @Tag("F24")
    @DisplayName(
            "F24: a stale list and a stale record do not make a leader, since the claim compares the record's version")
    void claimsOnlyAgainstTheRecordThatItHasRead() throws Exception {
        Participant earlier = participant("earlier").nominate();
        earlier.awaitLeading();
        earlier.election().close();
        var released = StaleZooKeeper.Snapshot.of(admin.client(), RECORD);
        Participant leader = participant("leader").nominate();
        long token = leader.awaitLeading().fencingToken();
        String held = Paths.name(admin.node(token));
        var claim = new AtomicReference<LossyZooKeeper.Fault>();
        // A lagging server, where the record is released and the queue is empty.
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
