package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A close leaves no node, no watch and no thread behind, and does not touch the application's connection. */
class ResourceLeakTests extends ElectionTestSupport {

    private void assertNothingIsLeft() throws Exception {
        eventually().untilAsserted(() -> {
            assertThat(admin.nodes()).isEmpty();
            assertThat(admin.children(HEARTBEATS)).isEmpty();
            assertThat(server.watches()).isZero();
            assertThat(server.server().getZKDatabase().getDataTree().getEphemeralsCount())
                    .isZero();
            assertThat(electionThreads()).isEmpty();
        });
    }

    @Test
    @Tag("F54")
    @DisplayName(
            "F54: leader, followers and observers that are closed in the order in which they joined leave nothing behind")
    void closedInOrder() throws Exception {
        List<ZooKeeper> clients = new ArrayList<>();
        List<ZooKeeperElections> all = new ArrayList<>();
        for (String id : List.of("a", "b", "c", "observer")) {
            clients.add(client());
            all.add(over(clients.get(clients.size() - 1), options(id).observe(id.equals("observer"))));
            Election election = all.get(all.size() - 1).election("orders", PATH);
            if (!id.equals("observer")) {
                election.nominate();
                eventually().until(() -> election.isLeader() || election.role() == Role.FOLLOWER);
            }
        }
        assertThat(server.watches()).isPositive();

        all.forEach(ZooKeeperElections::close);

        assertNothingIsLeft();
        assertThat(clients).allMatch(client -> client.getState() == ZooKeeper.States.CONNECTED);
        assertThat(admin.exists(RECORD)).isTrue();
    }

    @Test
    @Tag("F54")
    @DisplayName("F54: leader and followers that are closed in reverse order leave nothing behind")
    void closedInReverseOrder() throws Exception {
        List<ZooKeeperElections> all = new ArrayList<>();
        for (String id : List.of("a", "b", "c")) {
            all.add(0, over(client(), options(id)));
            Election election = nominate(all.get(0));
            eventually().until(() -> election.isLeader() || election.role() == Role.FOLLOWER);
        }

        all.forEach(ZooKeeperElections::close);

        assertNothingIsLeft();
    }

    @Test
    @Tag("F54")
    @DisplayName("F54: candidates that are all closed at the same time leave nothing behind")
    void closedAtTheSameTime() throws Exception {
        List<ZooKeeperElections> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            ZooKeeperElections elections = over(client(), options("candidate-" + i));
            for (int n = 0; n < 3; n++) {
                elections.election("orders-" + n, "/elections/orders-" + n).nominate();
            }
            all.add(elections);
        }
        eventually()
                .until(() -> List.of(0, 1, 2).stream()
                        .allMatch(n -> admin.nodes("/elections/orders-" + n).size() == 6));

        List<Future<?>> closing = new ArrayList<>();
        all.forEach(elections -> closing.add(inBackground(elections::close)));
        for (Future<?> close : closing) {
            close.get();
        }

        assertNothingIsLeft();
        assertThat(List.of(0, 1, 2))
                .allMatch(n -> admin.nodes("/elections/orders-" + n).isEmpty());
    }

    @Test
    @Tag("F54")
    @DisplayName("F54: a single closed election leaves no watch, and its connection continues with the others")
    void oneElectionOfManyClosed() throws Exception {
        ZooKeeper client = client();
        ZooKeeperElections elections = over(client, options("a"));
        Election kept = nominate(elections);
        awaitLeader(kept);
        // A leader watches its own node and the queue.
        eventually().until(() -> server.watches() == 2);

        for (int i = 0; i < 5; i++) {
            Election other = elections.election("passing", "/elections/passing");
            other.nominate();
            awaitLeader(other);
            other.close();
        }

        eventually().untilAsserted(() -> assertThat(server.watches()).isEqualTo(2));
        assertThat(admin.nodes("/elections/passing")).isEmpty();
        assertThat(kept.isLeader()).isTrue();
        elections.close();
        assertNothingIsLeft();
    }

    @Test
    @Tag("F54")
    @DisplayName("F54: sessions that the elections opened are closed, including replacements of expired ones")
    void ownSessionsClosed() throws Exception {
        List<ZooKeeper> opened = new ArrayList<>();
        ZooKeeperElections elections = over(
                watcher -> {
                    opened.add(new ZooKeeper(server.address(), (int) SESSION.toMillis(), watcher));
                    return opened.get(opened.size() - 1);
                },
                options("a"));
        Election election = nominate(elections);
        awaitLeader(election);
        server.expire(opened.get(0));
        eventually().until(() -> opened.size() == 2);
        awaitLeader(election);

        elections.close();

        assertNothingIsLeft();
        eventually().until(() -> opened.stream().allMatch(client -> client.getState() == ZooKeeper.States.CLOSED));
    }

    @Test
    @Tag("F54")
    @DisplayName("F54: a deleted election leaves neither its path nor watches")
    void deletedElection() throws Exception {
        ZooKeeperElections first = over(client(), options("a"));
        ZooKeeperElections second = over(client(), options("b"));
        Election leader = nominate(first);
        awaitLeader(leader);
        Election follower = nominate(second);
        awaitFollower(follower);

        follower.delete();
        eventually().until(() -> leader.role() == Role.CLOSED && follower.role() == Role.CLOSED);
        assertThat(admin.exists(PATH)).isFalse();
        first.close();
        second.close();

        assertNothingIsLeft();
    }
}
