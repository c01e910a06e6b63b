package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A candidate is its node: neither its id nor its session tells it from others. */
class IdentityFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F22")
    @DisplayName("F22: two processes with the same candidate id are two candidates, and one leads after the other")
    void sameIdsAreDifferentCandidates() throws Exception {
        Participant one = participant("same").nominate();
        one.awaitLeading();
        Participant other = participant("same").nominate().awaitFollowing();

        assertThat(one.election().candidates()).extracting(Candidate::id).containsExactly("same", "same");
        assertThat(other.election().role()).isEqualTo(Role.FOLLOWER);
        assertThat(one.isLeader()).isTrue();

        one.election().stepDown();
        other.awaitLeading();
        one.awaitFollowing();
        assertThat(admin.nodes()).hasSize(2);
        other.awaitEvents("granted 1");
        one.awaitEvents("granted 1", "revoked 1 STEPPED_DOWN");
    }

    @Test
    @Tag("F22")
    @DisplayName("F22: a process that is restarted under the same id leaves the node of its former life alone")
    void aQuickRestartWaitsForItsFormerLife() throws Exception {
        Participant formerNode = participant("same").nominate();
        long token = formerNode.awaitLeading().fencingToken();
        String node = admin.node(token);
        formerNode.proxy().blackHole();

        Participant restarted = participant("same").nominate().awaitFollowing();
        assertThat(restarted.election().status().following()).contains(Paths.name(node));
        restarted.client().drainRequests();

        assertThat(restarted.awaitLeading().fencingToken()).isGreaterThan(token);
        assertThat(restarted.client().drainRequests()).noneMatch(request -> request.startsWith("delete"));
    }

    @Test
    @Tag("F23")
    @DisplayName("F23: two candidates on one session have a node each, and hand over to each other")
    void twoCandidatesShareASession() throws Exception {
        Participant one = participant("one").nominate();
        long first = one.awaitLeading().fencingToken();
        try (var more = over(one, "two")) {
            Election two = more.election("orders", PATH);
            two.nominate();
            eventually().until(() -> two.role() == Role.FOLLOWER);
            assertThat(admin.nodes()).hasSize(2);

            one.election().stepDown();

            eventually().until(two::isLeader);
            one.awaitFollowing();
            assertThat(two.leadership().orElseThrow().fencingToken()).isBetween(first + 1, one.token() - 1);
            assertThat(admin.nodes()).hasSize(2);
        }
        one.awaitLeading();
    }

    @Test
    @Tag("F23")
    @DisplayName("F23: a candidate that looks for its lost create does not take its sibling's node for its own")
    void doesNotAdoptTheNodeOfASiblingOnItsSession() throws Exception {
        Participant one = participant("one").nominate();
        long first = one.awaitLeading().fencingToken();
        one.client()
                .interceptNext(
                        Fate.LOSE_REQUEST, (operation, path) -> operation.equals("create") && path.contains("/c-"));
        try (var more = over(one, "two")) {
            Election two = more.election("orders", PATH);
            two.nominate();

            eventually().until(() -> two.role() == Role.FOLLOWER);
            assertThat(two.status().candidate().orElseThrow().fencingToken()).isGreaterThan(first);
            assertThat(admin.nodes()).hasSize(2);
            assertThat(one.awaitLeading().fencingToken()).isEqualTo(first);
        }
    }

    private static ZooKeeperElections over(Participant peer, String id) {
        return ZooKeeperElections.over(
                peer.client(),
                ElectionOptions.defaults().candidate(id, Map.of()).recheckInterval(Duration.ofMinutes(10)));
    }
}
