package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.LossyZooKeeper.Fate;
import io.github.leaderelection.zookeeper.znode.Paths;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever follows a leader that did not say goodbye waits until that one's lease is over, and nothing shortens it. */
class LeaseFaultTests {

    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final Duration LONG = Duration.ofSeconds(3);
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final Scene scene = new Scene();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    @Tag("F63")
    @DisplayName("F63: a successor waits as long as the record's lease says, not as long as its own")
    void waitsTheLeaseOfTheRecord() throws Exception {
        Peer patient = scene.peer("long lease", SESSION, options -> options.lease(LONG))
                .nominate();
        patient.leads();
        Peer hasty = scene.peer("short lease", SESSION, options -> options.lease(SHORT))
                .nominate()
                .follows();
        assertThat(scene.record().lease()).isEqualTo(LONG.toMillis());
        String node = scene.node(patient);

        patient.connection.blackHole();
        scene.delete(node);
        assertThat(patient.isLeader()).as("it cannot know yet").isTrue();

        hasty.leads();
        assertThat(patient.isLeader()).isFalse();
        assertThat(scene.record().lease()).as("each writes its own").isEqualTo(SHORT.toMillis());
    }

    @Test
    @Tag("F63")
    @DisplayName("F63: who was named by a hand-over leads by the shorter lease that the record tells everyone")
    void leadsByTheShorterLeaseAfterAHandOver() throws Exception {
        Peer hasty = scene.peer("short lease", SESSION, options -> options.lease(SHORT))
                .nominate();
        hasty.leads();
        Peer patient = scene.peer("long lease", SESSION, options -> options.lease(LONG))
                .nominate()
                .follows();
        hasty.election.stepDown();
        patient.leads();
        hasty.follows();
        assertThat(scene.record().lease()).isEqualTo(SHORT.toMillis());
        String node = scene.node(patient);

        patient.connection.blackHole();
        scene.delete(node);

        hasty.leads();
        assertThat(patient.isLeader()).isFalse();
    }

    @Test
    @Tag("F64")
    @DisplayName("F64: in an election that was wiped and made again nobody leads before an older lease must be over")
    void waitsInAnElectionThatWasMadeAgain() throws Exception {
        Peer old = scene.peer("old", SESSION, options -> options.lease(LONG)).nominate();
        Leadership term = old.leads();
        old.connection.blackHole();

        scene.wipe();
        scene.makeElection();
        Peer fresh = scene.peer("fresh", SESSION, options -> options.lease(SHORT));
        fresh.nominate();
        scene.awaitCandidates(1);
        assertThat(term.isValid()).as("it cannot know yet").isTrue();

        assertThat(fresh.leads().fencingToken()).isGreaterThan(term.fencingToken());
        assertThat(term.isValid()).isFalse();
    }

    @Test
    @Tag("F64")
    @DisplayName("F64: where the record alone was deleted nobody leads before an older lease must be over")
    void waitsWhereTheRecordWasDeleted() throws Exception {
        Peer old = scene.peer("old", SESSION, options -> options.lease(LONG)).nominate();
        Leadership term = old.leads();
        String node = scene.node(old);
        old.connection.blackHole();

        scene.delete(Scene.RECORD);
        scene.delete(node);
        Peer fresh = scene.peer("fresh", SESSION, options -> options.lease(SHORT));
        fresh.nominate();
        scene.awaitCandidates(1);
        assertThat(term.isValid()).as("it cannot know yet").isTrue();

        fresh.leads();
        assertThat(term.isValid()).isFalse();
    }

    @Test
    @Tag("F64")
    @DisplayName("F64: a new election under an old root is led at once: nothing was ever deleted there")
    void leadsANewElectionAtOnce() throws Exception {
        Duration session = Duration.ofSeconds(30);
        Peer candidate = scene.peer("candidate", session).nominate();

        await().atMost(Duration.ofSeconds(20)).until(candidate::isLeader);
    }

    @Test
    @Tag("F70")
    @DisplayName("F70: who has just claimed is not renewed by beats before its own node is watched")
    void isNotRenewedBeforeItsNodeIsWatched() throws Exception {
        scene.makeElection();
        Peer candidate = scene.peer("candidate", SESSION);
        var watch = candidate.client().next(Fate.DELAY_REQUEST, LeaseFaultTests::readsCandidate);
        // The first list is the look before the claim; the second one would tell a leader what its watch does not.
        var lists = new AtomicInteger();
        var nodes = candidate
                .client()
                .next(
                        Fate.DELAY_REQUEST,
                        (operation, path) -> operation.equals("getChildren") && lists.incrementAndGet() == 2);
        candidate.nominate();
        Leadership term = candidate.leads();
        await().atMost(Peer.PATIENCE).until(() -> watch.isMet() && nodes.isMet());
        String node = scene.node(term.fencingToken());
        String heartbeat = scene.heartbeat(candidate);
        assertThat(scene.record().heldBy(Paths.name(node))).isTrue();

        scene.delete(node);
        // Its claim was a beat, too; those that follow are acknowledged, and prove nothing.
        await().atMost(Peer.PATIENCE).until(() -> scene.stat(heartbeat).getVersion() > 2);

        await().atMost(Peer.PATIENCE).until(() -> !term.isValid());
        watch.release();
        nodes.release();
        assertThat(candidate.leads().fencingToken()).isGreaterThan(term.fencingToken());
        candidate.hears("granted", "revoked CONNECTION_LOST", "granted");
    }

    @Test
    @Tag("F70")
    @DisplayName("F70: who is connected again is not renewed by beats before its own node is watched again")
    void isNotRenewedBeforeItsNodeIsWatchedAgain() throws Exception {
        Peer leader = scene.peer(
                        "leader",
                        SESSION.multipliedBy(2),
                        options -> options.lease(LONG.plus(SHORT)),
                        LeaseFaultTests::leaveWatchesToUs)
                .nominate();
        Leadership term = leader.leads();
        // It may take several attempts to be connected again, with a read each.
        List<LossyZooKeeper.Fault> watches = Stream.generate(
                        () -> leader.client().next(Fate.DELAY_REQUEST, LeaseFaultTests::readsCandidate))
                .limit(20)
                .toList();

        leader.connection.cutOnce();

        await().atMost(Peer.PATIENCE).until(() -> watches.get(0).isMet());
        leader.hears("granted", "revoked CONNECTION_LOST");
        assertThat(term.isValid()).isFalse();
        watches.forEach(LossyZooKeeper.Fault::release);
        assertThat(leader.leads().fencingToken()).isEqualTo(term.fencingToken());
    }

    /** Says that the client is not to set watches again. */
    private static void leaveWatchesToUs(ZooKeeper client) {
        client.getClientConfig().setProperty(ZKClientConfig.DISABLE_AUTO_WATCH_RESET, "true");
    }

    private static boolean readsCandidate(String operation, String path) {
        return operation.equals("getData") && path.startsWith(Scene.PATH + "/c-");
    }

    @Test
    @Tag("F71")
    @DisplayName("F71: a sighting of the leader's beat counts for nothing once the observer's own connection was lost")
    void countsNoSightingFromBeforeItsConnectionWasLost() throws Exception {
        // Long enough for the observer to come back, for which the client takes its time.
        Duration session = Duration.ofSeconds(9);
        Duration lease = Duration.ofSeconds(6);
        Peer leader =
                scene.peer("leader", session, options -> options.lease(lease)).nominate();
        leader.leads();
        Peer observer = scene.peer("observer", session, options -> options.lease(lease))
                .nominate()
                .follows();
        scene.awaitObserved(leader);
        String node = scene.node(leader);
        String heartbeat = scene.heartbeat(leader);
        var sighted = scene.stat(heartbeat);

        observer.connection.cut();
        // A lease after the last sighting the leader still renews, unseen.
        await().atMost(Peer.PATIENCE)
                .until(() -> scene.stat(heartbeat).getMtime() - sighted.getMtime() > 1.1 * lease.toMillis() + 200);
        leader.connection.blackHole();
        observer.connection.open();
        await().atMost(Peer.PATIENCE)
                .until(() -> observer.election.status().following().isPresent());
        scene.delete(node);
        assertThat(leader.isLeader()).as("it cannot know yet").isTrue();

        observer.leads();
        assertThat(leader.isLeader()).isFalse();
    }

    @Test
    @Tag("F72")
    @DisplayName("F72: a beat that an administrator deletes is made again under its name, and no term ends")
    void makesItsBeatAgain() throws Exception {
        Peer leader =
                scene.peer("leader", SESSION, options -> options.lease(LONG)).nominate();
        Leadership term = leader.leads();
        Peer next = scene.peer("next", SESSION, options -> options.lease(LONG))
                .nominate()
                .follows();
        scene.awaitObserved(leader);
        String heartbeat = scene.heartbeat(leader);
        long old = scene.stat(heartbeat).getCzxid();

        scene.delete(heartbeat);

        await().atMost(Peer.PATIENCE)
                .until(() -> scene.exists(heartbeat) && scene.stat(heartbeat).getCzxid() > old && beats(heartbeat) > 1);
        // By now the lease that was earned by the deleted beat is over.
        await().atMost(Peer.PATIENCE)
                .until(() ->
                        scene.stat(heartbeat).getMtime() - scene.stat(heartbeat).getCtime() > LONG.toMillis());
        assertThat(term.isValid()).isTrue();
        await().untilAsserted(() -> assertThat(leader.recorder.events()).containsExactly("granted"));
        assertThat(next.recorder.events()).isEmpty();

        // The next in line has seen the new one, too: it does not take the leader for silent.
        String node = scene.node(leader);
        leader.connection.blackHole();
        scene.delete(node);
        next.leads();
        assertThat(leader.isLeader()).isFalse();
    }

    private int beats(String heartbeat) throws Exception {
        return scene.stat(heartbeat).getVersion();
    }
}
