package io.github.leaderelection.zookeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.leaderelection.zookeeper.client.Reply;
import io.github.leaderelection.zookeeper.client.Request;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

class SimTakeOversTests {

    private static final long LEASE = 1_000;
    private static final String PATH = Simulation.ELECTIONS.get(0);
    private static final String RECORD = PATH + "/" + LeaderRecord.NODE;
    private static final String HOLDER = "c-one-0000000001";
    private static final String TAKER = "c-two-0000000002";
    private static final String HEARTBEAT = Simulation.HEARTBEATS + "one";

    private static final String CANDIDATE = "{\"id\":\"one\",\"beat\":\"" + HEARTBEAT + "\"}";

    private final Simulation simulation = Simulation.of(1);
    private final SimQuorum quorum = simulation.quorum();
    private final long holder = quorum.open(3_000).id;
    private final long taker = quorum.open(3_000).id;

    SimTakeOversTests() {
        for (String path : List.of(Simulation.ROOT, Simulation.HEARTBEATS_PARENT, PATH)) {
            commit(0, new Request.Create(path, new byte[0], CreateMode.PERSISTENT));
        }
        byte[] record = LeaderRecord.held(HOLDER, 1, LEASE).toJson();
        commit(0, new Request.Create(RECORD, record, CreateMode.PERSISTENT));
        commit(holder, new Request.Create(HEARTBEAT, new byte[0], CreateMode.EPHEMERAL));
        byte[] data = CANDIDATE.getBytes(StandardCharsets.UTF_8);
        commit(holder, new Request.Create(PATH + "/" + HOLDER, data, CreateMode.EPHEMERAL));
        commit(taker, new Request.Create(PATH + "/" + TAKER, new byte[0], CreateMode.EPHEMERAL));
    }

    private Reply commit(long session, Request request) {
        return quorum.commit(session, "test", request);
    }

    private Reply heartbeat() {
        return commit(holder, new Request.Set(HEARTBEAT, new byte[0], -1));
    }

    private Reply takeOver() {
        byte[] record = LeaderRecord.held(TAKER, 2, LEASE).toJson();
        return commit(
                taker,
                new Request.Multi(List.of(
                        new Request.Delete(PATH + "/" + HOLDER, -1),
                        new Request.Check(PATH + "/" + TAKER),
                        new Request.Set(RECORD, record, 0))));
    }

    private void pass(long millis) {
        simulation.scheduler().step(simulation.scheduler().now() + millis * SimScheduler.MILLIS);
    }

    private int takeOvers() {
        return simulation.checker().takeOvers();
    }

    @Test
    void aTakeOverAfterTheLeaseIsCounted() {
        heartbeat();
        pass(LEASE * 11 / 10);

        assertThat(takeOver().ok()).isTrue();
        assertThat(takeOvers()).isEqualTo(1);
    }

    @Test
    void aTakeOverFromACandidateThatRenewsInTimeIsAViolation() {
        pass(LEASE * 2);
        heartbeat();
        pass(LEASE);

        assertThatExceptionOfType(SimViolation.class)
                .isThrownBy(this::takeOver)
                .satisfies(violation -> assertThat(violation.invariant()).isEqualTo(SimInvariant.DEPOSED_IN_TIME));
    }

    @Test
    void aHeartbeatThatAnotherClientHasReplacedRenewsNothing() {
        pass(LEASE * 2);
        commit(0, new Request.Delete(HEARTBEAT, -1));
        quorum.commit(0, "admin", transaction -> transaction.createAs(0, HEARTBEAT));
        assertThat(heartbeat().ok()).isTrue();

        assertThat(takeOver().ok()).isTrue();
        assertThat(takeOvers()).isEqualTo(1);
    }

    @Test
    void neitherAnAdministratorNorTheEndOfASessionTakesOver() {
        heartbeat();
        commit(0, new Request.Delete(PATH + "/" + HOLDER, -1));
        commit(holder, new Request.Delete(PATH + "/" + TAKER, -1));
        commit(taker, new Request.Set(RECORD, LeaderRecord.held(TAKER, 2, LEASE).toJson(), 0));

        assertThat(takeOvers()).isZero();
    }

    @Test
    void clientsMayBeDeniedToDeleteEachOthersNodes() {
        quorum.denyDeletesOfOthers(true);

        assertThat(takeOver().code()).isEqualTo(Code.NOAUTH);
        assertThat(commit(holder, new Request.Delete(PATH + "/" + HOLDER, -1)).ok())
                .isTrue();
        assertThat(takeOvers()).isZero();
    }

    @Test
    void aTransactionAnswersWithTheStatOfItsLastWrite() {
        heartbeat();
        Reply reply = commit(
                holder,
                new Request.Multi(
                        List.of(new Request.Set(HEARTBEAT, new byte[0], 1), new Request.Check(PATH + "/" + HOLDER))));

        assertThat(reply.ok()).isTrue();
        assertThat(reply.stat().getVersion()).isEqualTo(2);
        assertThat(reply.stat().getEphemeralOwner()).isEqualTo(holder);
    }

    @Test
    void aCheckComparesTheVersion() {
        heartbeat();

        assertThat(check(HEARTBEAT, 1)).isEqualTo(Code.OK);
        assertThat(check(HEARTBEAT, 0)).isEqualTo(Code.BADVERSION);
        assertThat(check(HEARTBEAT + "x", -1)).isEqualTo(Code.NONODE);
    }

    private Code check(String path, int version) {
        return quorum.commit(taker, "test", transaction -> transaction.check(path, version))
                .code();
    }
}
