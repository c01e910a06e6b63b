package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Missing permissions, which are granted later. */
class PermissionFaultTests extends ElectionTestSupport {

    private static List<ACL> allBut(int permission) {
        return new ArrayList<>(List.of(new ACL(Perms.ALL & ~permission, Ids.ANYONE_ID_UNSAFE)));
    }

    private void allowAllBut(int permission, String path) {
        admin.setAcl(path, allBut(permission));
    }

    private void allowAll(String path) {
        admin.setAcl(path, Ids.OPEN_ACL_UNSAFE);
    }

    @Test
    @Tag("F40")
    @DisplayName("F40: a candidate that may not create its node reports it, and joins as soon as it may")
    void createDenied() {
        admin.createElection();
        allowAllBut(Perms.CREATE, PATH);
        Election election = over(client(), options("a")).election("orders", PATH);
        EventLog events = EventLog.of(election);

        election.nominate();

        eventually().until(() -> !events.failures().isEmpty());
        assertThat(events.failures().get(0)).hasMessageContaining(PATH).hasMessageContaining("NOAUTH");
        assertThat(election.status().error()).isPresent();
        assertThat(election.role()).isEqualTo(Role.CANDIDATE);
        allowAll(PATH);
        awaitLeader(election);
        assertThat(election.status().error()).isEmpty();
        assertThat(events.failures()).as("failures, not one per attempt").hasSize(1);
    }

    @Test
    @DisplayName("A hand-over of an election that may not be read fails for that reason, as reading its leader does")
    void readDeniedToWhoAsksForAHandOver() {
        awaitLeader(nominate(over(client(), options("a"))));
        Election observer = over(client(), options("b")).election("orders", PATH);
        allowAllBut(Perms.READ, PATH);

        assertThatThrownBy(() -> observer.handOver("a"))
                .isInstanceOf(ElectionException.class)
                .isNotInstanceOf(ElectionConnectionException.class)
                .hasMessageContaining(PATH)
                .hasMessageContaining("NOAUTH");
        allowAll(PATH);
    }

    @Test
    @Tag("F40")
    @DisplayName("F40: an election node that may not be created is reported, and joined once it exists")
    void pathDenied() {
        admin.create("/elections");
        admin.create("/closed");
        allowAllBut(Perms.CREATE, "/closed");
        Election election = over(client(), options("a")).election("orders", "/closed/orders");
        EventLog events = EventLog.of(election);

        election.nominate();

        eventually().until(() -> !events.failures().isEmpty());
        assertThat(events.failures().get(0))
                .hasMessageContaining("/closed/orders")
                .hasMessageContaining("NOAUTH");
        allowAll("/closed");
        awaitLeader(election);
    }

    @Test
    @Tag("F40")
    @DisplayName(
            "F40: a heartbeat node that may not be created fails the start with its path, and works once it is permitted")
    void heartbeatDenied() {
        admin.create("/elections");
        allowAllBut(Perms.CREATE, "/elections");
        ZooKeeperElections elections = over(client(), options("a"));

        assertThatThrownBy(() -> elections.election("orders", PATH))
                .isInstanceOf(ElectionException.class)
                .hasMessageContaining(HEARTBEATS)
                .hasMessageContaining("NOAUTH");

        allowAll("/elections");
        eventually().ignoreExceptions().until(() -> elections.election("orders", PATH) != null);
        awaitLeader(nominate(elections));
    }

    @Test
    @Tag("F57")
    @DisplayName("F57: a node that may not be deleted is reported as left behind, and deleted as soon as it may be")
    void deleteDenied() {
        admin.createElection();
        Election election = nominate(over(
                client(),
                options("a")
                        .failFast(false)
                        .connectionTimeout(Duration.ofSeconds(1))
                        .drainTimeout(Duration.ofMillis(100))));
        EventLog events = EventLog.of(election);
        awaitLeader(election);
        allowAllBut(Perms.DELETE, PATH);

        Resignation resignation = election.resign();

        assertThat(resignation.outcome()).isEqualTo(Resignation.Outcome.UNCONFIRMED);
        assertThat(election.isLeader()).isFalse();
        eventually().until(() -> !events.failures().isEmpty());
        assertThat(events.failures().get(0)).hasMessageContaining(PATH).hasMessageContaining("NOAUTH");
        assertThat(admin.nodes()).hasSize(1);
        allowAll(PATH);
        eventually().until(() -> admin.nodes().isEmpty());
    }

    @Test
    @Tag("F57")
    @DisplayName("F57: a follower's node that may not be deleted is deleted as soon as it may be")
    void deleteOfAFollowerDenied() {
        Election leader = candidate("a");
        awaitLeader(leader);
        Election follower = nominate(over(
                client(),
                options("b")
                        .failFast(false)
                        .connectionTimeout(Duration.ofSeconds(1))
                        .drainTimeout(Duration.ofMillis(100))));
        awaitFollower(follower);
        allowAllBut(Perms.DELETE, PATH);

        assertThatThrownBy(follower::withdraw).isInstanceOf(ElectionException.class);

        assertThat(admin.nodes()).hasSize(2);
        allowAll(PATH);
        eventually().until(() -> admin.nodes().size() == 1);
        assertThat(follower.role()).isEqualTo(Role.OBSERVER);
        assertThat(leader.isLeader()).isTrue();
    }

    @Test
    @Tag("F57")
    @DisplayName(
            "F57: a candidate that may not read its own node does not lead, reports why, and leads as soon as it may")
    void ownNodeUnreadable() {
        admin.createElection();
        Election election = over(client(), options("a").acl(allBut(Perms.READ)).recheckInterval(Duration.ofMillis(300)))
                .election("orders", PATH);
        EventLog events = EventLog.of(election);
        election.nominate();

        eventually().until(() -> !events.failures().isEmpty());
        assertThat(events.failures().get(0)).hasMessageContaining(PATH + "/").hasMessageContaining("NOAUTH");
        await().during(Duration.ofSeconds(1)).atMost(BOUND).until(() -> !election.isLeader());

        allowAll(PATH + "/" + admin.nodes().get(0));
        awaitLeader(election);
    }

    @Test
    @Tag("F57")
    @DisplayName("F57: a follower that may not read its own node reports it until it may")
    void ownNodeOfAFollowerUnreadable() {
        awaitLeader(candidate("a"));
        Election follower =
                nominate(over(client(), options("b").acl(allBut(Perms.READ)).recheckInterval(Duration.ofMillis(300))));
        eventually().until(() -> follower.status().error().isPresent());
        assertThat(follower.status().error().orElseThrow()).contains("NOAUTH");

        allowAll(PATH + "/" + admin.nodes().get(1));

        eventually().until(() -> follower.status().error().isEmpty());
        assertThat(follower.role()).isEqualTo(Role.FOLLOWER);
    }

    @Test
    @Tag("F57")
    @DisplayName("F57: a candidate that may not read its own node still deletes it when it is closed")
    void ownNodeUnreadableAtClose() {
        admin.createElection();
        ZooKeeperElections elections = over(client(), options("a").acl(allBut(Perms.READ)));
        Election election = nominate(elections);
        EventLog events = EventLog.of(election);
        eventually().until(() -> admin.nodes().size() == 1 && !events.failures().isEmpty());

        elections.close();

        assertThat(admin.nodes()).isEmpty();
    }

    @Test
    @Tag("F57")
    @DisplayName("F57: a predecessor that may not be read blocks with an error until it is readable or gone")
    void predecessorUnreadable() {
        Election first = candidate("a");
        awaitLeader(first);
        allowAllBut(Perms.READ, PATH + "/" + admin.nodes().get(0));
        Election second = nominate(over(client(), options("b").recheckInterval(Duration.ofMillis(300))));

        eventually().until(() -> second.status().error().isPresent());
        assertThat(second.status().error().orElseThrow()).contains("NOAUTH");
        first.close();

        awaitLeader(second);
        assertThat(second.status().error()).isEmpty();
    }

    @Test
    @Tag("F57")
    @DisplayName("F57: deleting an election without permission fails with a message, and the election continues")
    void deletionDenied() {
        Election leader = candidate("a");
        awaitLeader(leader);
        Election observer = over(client(), options("b")).election("orders", PATH);
        allowAllBut(Perms.WRITE, RECORD);

        assertThatThrownBy(observer::delete)
                .isInstanceOf(ElectionException.class)
                .hasMessageContaining("NOAUTH");

        await().during(Duration.ofMillis(500)).atMost(BOUND).until(leader::isLeader);
    }

    @Test
    @Tag("F57")
    @DisplayName("F57: with the creator's ACL, other users can neither list nor delete the election, and get an error")
    void otherUserOfAProtectedElection() {
        ZooKeeper owner = client();
        owner.addAuthInfo("digest", "owner:secret".getBytes(StandardCharsets.UTF_8));
        Election leader =
                nominate(over(owner, options("a").acl(Ids.CREATOR_ALL_ACL).root("/private")));
        awaitLeader(leader);
        Election otherUser = over(client(), options("b").root("/open")).election("orders", PATH);

        assertThatThrownBy(otherUser::candidates)
                .isInstanceOf(ElectionException.class)
                .hasMessageContaining("NOAUTH");
        assertThatThrownBy(otherUser::delete)
                .isInstanceOf(ElectionException.class)
                .hasMessageContaining("NOAUTH");
        assertThat(leader.isLeader()).isTrue();
        assertThat(leader.candidates()).hasSize(1);
    }
}
