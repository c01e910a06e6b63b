package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever follows a leader that did not say goodbye waits until that one's lease is over, and nothing shortens it. */
class LeaseFaultTests extends ElectionTestSupport {

    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final Duration LONG = Duration.ofSeconds(3);
    private static final Duration SHORT = Duration.ofSeconds(1);

    @Test
    @Tag("F63")
    @DisplayName("F63: a successor waits as long as the record's lease says, not as long as its own")
    void waitsTheLeaseOfTheRecord() throws Exception {
        Participant patient =
                participant("long lease").session(SESSION).lease(LONG).nominate();
        patient.awaitLeading();
        Participant hasty = participant("short lease")
                .session(SESSION)
                .lease(SHORT)
                .nominate()
                .awaitFollowing();
        assertThat(admin.record().lease()).isEqualTo(LONG.toMillis());
        String node = admin.node(patient);

        patient.proxy().blackHole();
        admin.delete(node);
        assertThat(patient.isLeader()).as("it cannot know yet").isTrue();

        hasty.awaitLeading();
        assertThat(patient.isLeader()).isFalse();
        assertThat(admin.record().lease()).as("each writes its own").isEqualTo(SHORT.toMillis());
    }

    @Test
    @Tag("F63")
    @DisplayName("F63: who was named by a hand-over leads by the shorter lease that the record tells everyone")
    void leadsByTheShorterLeaseAfterAHandOver() throws Exception {
        Participant hasty =
                participant("short lease").session(SESSION).lease(SHORT).nominate();
        hasty.awaitLeading();
        Participant patient = participant("long lease")
                .session(SESSION)
                .lease(LONG)
                .nominate()
                .awaitFollowing();
        hasty.election().stepDown();
        patient.awaitLeading();
        hasty.awaitFollowing();
        assertThat(admin.record().lease()).isEqualTo(SHORT.toMillis());
        String node = admin.node(patient);

        patient.proxy().blackHole();
        admin.delete(node);

        hasty.awaitLeading();
        assertThat(patient.isLeader()).isFalse();
    }

    @Test
    @Tag("F64")
    @DisplayName("F64: in an election that was wiped and made again nobody leads before an older lease must be over")
    void waitsInAnElectionThatWasMadeAgain() throws Exception {
        Participant old = participant("old").session(SESSION).lease(LONG).nominate();
        Leadership term = old.awaitLeading();
        old.proxy().blackHole();

        admin.deleteAll(PATH);
        admin.createElection();
        Participant fresh = participant("fresh").session(SESSION).lease(SHORT).open();
        fresh.nominate();
        admin.awaitNodes(1);
        assertThat(term.isValid()).as("it cannot know yet").isTrue();

        assertThat(fresh.awaitLeading().fencingToken()).isGreaterThan(term.fencingToken());
        assertThat(term.isValid()).isFalse();
    }

    @Test
    @Tag("F64")
    @DisplayName("F64: where the record alone was deleted nobody leads before an older lease must be over")
    void waitsWhereTheRecordWasDeleted() throws Exception {
        Participant old = participant("old").session(SESSION).lease(LONG).nominate();
        Leadership term = old.awaitLeading();
        String node = admin.node(old);
        old.proxy().blackHole();

        admin.delete(RECORD);
        admin.delete(node);
        Participant fresh = participant("fresh").session(SESSION).lease(SHORT).open();
        fresh.nominate();
        admin.awaitNodes(1);
        assertThat(term.isValid()).as("it cannot know yet").isTrue();

        fresh.awaitLeading();
        assertThat(term.isValid()).isFalse();
    }

    @Test
    @Tag("F64")
    @DisplayName("F64: a new election under an old root is led at once: nothing was ever deleted there")
    void leadsANewElectionAtOnce() throws Exception {
        Duration session = Duration.ofSeconds(30);
        Participant candidate = participant("candidate").session(session).nominate();

        await().atMost(Duration.ofSeconds(20)).until(candidate::isLeader);
    }

    @Test
    @Tag("F70")
    @DisplayName("F70: who has just claimed is not renewed by beats before its own node is watched")
    void isNotRenewedBeforeItsNodeIsWatched() throws Exception {
        admin.createElection();
        Participant candidate = participant("candidate").session(SESSION).open();
        var watch = candidate.client().interceptNext(Fate.DELAY_REQUEST, LeaseFaultTests::readsCandidate);
        // The first list is the look before the claim; the second one would tell a leader what its watch does not.
        var lists = new AtomicInteger();
        var nodes = candidate
                .client()
                .interceptNext(
                        Fate.DELAY_REQUEST,
                        (operation, path) -> operation.equals("getChildren") && lists.incrementAndGet() == 2);
        candidate.nominate();
        Leadership term = candidate.awaitLeading();
        eventually().until(() -> watch.isTriggered() && nodes.isTriggered());
        String node = admin.node(term.fencingToken());
        String heartbeat = admin.heartbeat(candidate);
        assertThat(admin.record().heldBy(Paths.name(node))).isTrue();

        admin.delete(node);
        // Its claim was a beat, too; those that follow are acknowledged, and prove nothing.
        eventually().until(() -> admin.stat(heartbeat).getVersion() > 2);

        eventually().until(() -> !term.isValid());
        watch.release();
        nodes.release();
        assertThat(candidate.awaitLeading().fencingToken()).isGreaterThan(term.fencingToken());
        candidate.awaitEvents("granted 1", "revoked 1 CONNECTION_LOST", "granted 2");
    }

    @Test
    @Tag("F70")
    @DisplayName("F70: who is connected again is not renewed by beats before its own node is watched again")
    void isNotRenewedBeforeItsNodeIsWatchedAgain() throws Exception {
        Participant leader = participant("leader")
                .session(SESSION.multipliedBy(2))
                .lease(LONG.plus(SHORT))
                .onOpen(LeaseFaultTests::leaveWatchesToUs)
                .nominate();
        Leadership term = leader.awaitLeading();
        // It may take several attempts to be connected again, with a read each.
        List<LossyZooKeeper.Fault> watches = Stream.generate(
                        () -> leader.client().interceptNext(Fate.DELAY_REQUEST, LeaseFaultTests::readsCandidate))
                .limit(20)
                .toList();

        leader.proxy().cutOnce();

        eventually().until(() -> watches.get(0).isTriggered());
        leader.awaitEvents("granted 1", "revoked 1 CONNECTION_LOST");
        assertThat(term.isValid()).isFalse();
        watches.forEach(LossyZooKeeper.Fault::release);
        assertThat(leader.awaitLeading().fencingToken()).isEqualTo(term.fencingToken());
    }

    /** Says that the client is not to set watches again. */
    private static void leaveWatchesToUs(ZooKeeper client) {
        client.getClientConfig().setProperty(ZKClientConfig.DISABLE_AUTO_WATCH_RESET, "true");
    }

    private static boolean readsCandidate(String operation, String path) {
        return operation.equals("getData") && path.startsWith(PATH + "/c-");
    }

    @Test
    @Tag("F71")
    @DisplayName("F71: a sighting of the leader's beat counts for nothing once the observer's own connection was lost")
    void countsNoSightingFromBeforeItsConnectionWasLost() throws Exception {
        // Long enough for the observer to come back, for which the client takes its time.
        Duration session = Duration.ofSeconds(9);
        Duration lease = Duration.ofSeconds(6);
        Participant leader = participant("leader").session(session).lease(lease).nominate();
        leader.awaitLeading();
        Participant observer =
                participant("observer").session(session).lease(lease).nominate().awaitFollowing();
        awaitHeartbeatWatched(leader);
        String node = admin.node(leader);
        String heartbeat = admin.heartbeat(leader);
        var sighted = admin.stat(heartbeat);

        observer.proxy().cut();
        // A lease after the last sighting the leader still renews, unseen.
        eventually().until(() -> admin.stat(heartbeat).getMtime() - sighted.getMtime() > 1.1 * lease.toMillis() + 200);
        leader.proxy().blackHole();
        observer.proxy().open();
        eventually().until(() -> observer.election().status().following().isPresent());
        admin.delete(node);
        assertThat(leader.isLeader()).as("it cannot know yet").isTrue();

        observer.awaitLeading();
        assertThat(leader.isLeader()).isFalse();
    }

    @Test
    @Tag("F72")
    @DisplayName("F72: a beat that an administrator deletes is made again under its name, and no term ends")
    void makesItsBeatAgain() throws Exception {
        Participant leader = participant("leader").session(SESSION).lease(LONG).nominate();
        Leadership term = leader.awaitLeading();
        Participant next =
                participant("next").session(SESSION).lease(LONG).nominate().awaitFollowing();
        awaitHeartbeatWatched(leader);
        String heartbeat = admin.heartbeat(leader);
        long old = admin.stat(heartbeat).getCzxid();

        admin.delete(heartbeat);

        eventually()
                .until(() -> admin.exists(heartbeat) && admin.stat(heartbeat).getCzxid() > old && beats(heartbeat) > 1);
        // By now the lease that was earned by the deleted beat is over.
        eventually()
                .until(() ->
                        admin.stat(heartbeat).getMtime() - admin.stat(heartbeat).getCtime() > LONG.toMillis());
        assertThat(term.isValid()).isTrue();
        eventually().untilAsserted(() -> assertThat(leader.events()).containsExactly("granted 1"));
        assertThat(next.events()).isEmpty();

        // The next in line has seen the new one, too: it does not take the leader for silent.
        String node = admin.node(leader);
        leader.proxy().blackHole();
        admin.delete(node);
        next.awaitLeading();
        assertThat(leader.isLeader()).isFalse();
    }

    private int beats(String heartbeat) throws Exception {
        return admin.stat(heartbeat).getVersion();
    }
}
