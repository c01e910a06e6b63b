package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.znode.Paths;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Candidates are identified by their node, not by their id or their session. */
class CandidateIdentityFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F22")
    @DisplayName("F22: two processes with the same candidate id are two candidates that lead one after the other")
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
    @DisplayName("F22: a process that restarts under the same id does not touch the node of its previous run")
    void aQuickRestartWaitsForItsOldNode() throws Exception {
        Participant killed = participant("same").nominate();
        long token = killed.awaitLeading().fencingToken();
        String node = admin.node(token);
        killed.proxy().blackHole();

        Participant restarted = participant("same").nominate().awaitFollowing();
        assertThat(restarted.election().status().following()).contains(Paths.name(node));
        restarted.client().drainRequests();

        assertThat(restarted.awaitLeading().fencingToken()).isGreaterThan(token);
        assertThat(restarted.client().drainRequests()).noneMatch(request -> request.startsWith("delete"));
    }

    @Test
    @Tag("F23")
    @DisplayName("F23: two candidates on one session have a node each and hand over to each other")
    void twoCandidatesShareASession() throws Exception {
        Participant one = participant("one").nominate();
        long first = one.awaitLeading().fencingToken();
        try (ZooKeeperElections elections = over(one.client(), options("two"))) {
            Election two = elections.election("orders", PATH);
            two.nominate();
            awaitFollower(two);
            assertThat(admin.nodes()).hasSize(2);

            one.election().stepDown();

            awaitLeader(two);
            one.awaitFollowing();
            assertThat(two.leadership().orElseThrow().fencingToken()).isGreaterThan(first);
            assertThat(admin.nodes()).hasSize(2);
        }
        one.awaitLeading();
    }

    @Test
    @Tag("F23")
    @DisplayName(
            "F23: a candidate that searches for the node of a lost create does not adopt the node of another candidate on its session")
    void doesNotAdoptAnotherNodeOfItsSession() throws Exception {
        Participant one = participant("one").nominate();
        long first = one.awaitLeading().fencingToken();
        one.client().interceptNext(Fate.LOSE_REQUEST, ElectionTestSupport::createsCandidate);
        try (ZooKeeperElections elections = over(one.client(), options("two"))) {
            Election two = elections.election("orders", PATH);
            two.nominate();

            awaitFollower(two);
            assertThat(admin.nodes()).hasSize(2);
            assertThat(one.awaitLeading().fencingToken()).isEqualTo(first);
        }
    }
}
