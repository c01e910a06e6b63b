package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A candidate is its node: neither its id nor its session tells it from others. */
class IdentityFaultTests {

    private static final Duration SESSION = Duration.ofSeconds(3);

    private final Scene scene = new Scene();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    @Tag("F22")
    @DisplayName("F22: two processes with the same candidate id are two candidates, and one leads after the other")
    void sameIdsAreDifferentCandidates() throws Exception {
        Peer one = scene.peer("same", SESSION).nominate();
        one.leads();
        Peer other = scene.peer("same", SESSION).nominate().follows();

        assertThat(one.election.candidates()).extracting(Candidate::id).containsExactly("same", "same");
        assertThat(other.election.role()).isEqualTo(Role.FOLLOWER);
        assertThat(one.isLeader()).isTrue();

        one.election.stepDown();
        other.leads();
        one.follows();
        assertThat(scene.nodes()).hasSize(2);
        other.hears("granted");
        one.hears("granted", "revoked STEPPED_DOWN");
    }

    @Test
    @Tag("F22")
    @DisplayName("F22: a process that is restarted under the same id leaves the node of its former life alone")
    void aQuickRestartWaitsForItsFormerLife() throws Exception {
        Peer formerNode = scene.peer("same", SESSION).nominate();
        long token = formerNode.leads().fencingToken();
        String node = scene.node(token);
        formerNode.connection.blackHole();

        Peer restarted = scene.peer("same", SESSION).nominate().follows();
        assertThat(restarted.election.status().following()).contains(Paths.name(node));
        restarted.client().drainLog();

        assertThat(restarted.leads().fencingToken()).isGreaterThan(token);
        assertThat(restarted.client().drainLog()).noneMatch(request -> request.startsWith("delete"));
    }

    @Test
    @Tag("F23")
    @DisplayName("F23: two candidates on one session have a node each, and hand over to each other")
    void twoCandidatesShareASession() throws Exception {
        Peer one = scene.peer("one", SESSION).nominate();
        long first = one.leads().fencingToken();
        try (var more = over(one, "two")) {
            Election two = more.election("orders", Scene.PATH);
            two.nominate();
            await().atMost(Peer.PATIENCE).until(() -> two.role() == Role.FOLLOWER);
            assertThat(scene.nodes()).hasSize(2);

            one.election.stepDown();

            await().atMost(Peer.PATIENCE).until(two::isLeader);
            one.follows();
            assertThat(two.leadership().orElseThrow().fencingToken()).isBetween(first + 1, one.token() - 1);
            assertThat(scene.nodes()).hasSize(2);
        }
        one.leads();
    }

    @Test
    @Tag("F23")
    @DisplayName("F23: a candidate that looks for its lost create does not take its sibling's node for its own")
    void doesNotAdoptTheNodeOfASiblingOnItsSession() throws Exception {
        Peer one = scene.peer("one", SESSION).nominate();
        long first = one.leads().fencingToken();
        one.client().next(Fate.LOSE_REQUEST, (operation, path) -> operation.equals("create") && path.contains("/c-"));
        try (var more = over(one, "two")) {
            Election two = more.election("orders", Scene.PATH);
            two.nominate();

            await().atMost(Peer.PATIENCE).until(() -> two.role() == Role.FOLLOWER);
            assertThat(two.status().candidate().orElseThrow().fencingToken()).isGreaterThan(first);
            assertThat(scene.nodes()).hasSize(2);
            assertThat(one.leads().fencingToken()).isEqualTo(first);
        }
    }

    private static ZooKeeperElections over(Peer peer, String id) {
        return ZooKeeperElections.over(
                peer.client(),
                ElectionOptions.defaults().candidate(id, Map.of()).recheckInterval(Duration.ofMinutes(10)));
    }
}
