package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.fixture.ReportFile;
import io.github.leaderelection.zookeeper.fixture.TestEnsemble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Disturbances that a leader with the default lease should outlast, however fast its heir would take over. */
class SteadyLeaderIT extends ElectionTestSupport {

    private static final Duration DEFAULT_SESSION = Duration.ofSeconds(10);
    private static final int CUTS = 20;
    private static final Duration CUT = Duration.ofMillis(300);

    @Test
    @Tag("F81")
    @DisplayName("F81: a leader whose connection is cut twenty times for 0.3 s goes on leading")
    void outlastsShortCuts() {
        Participant leader = participant("leader").session(DEFAULT_SESSION).nominate();
        leader.awaitLeading();
        Participant heir =
                participant("heir").session(DEFAULT_SESSION).nominate().awaitFollowing();
        eventually().until(() -> !admin.record().heir().isEmpty());

        for (int i = 0; i < CUTS; i++) {
            leader.proxy().cut();
            LockSupport.parkNanos(CUT.toNanos());
            leader.proxy().open();
            int renewed = heartbeats(leader) + 2;
            await("the leader renews its lease").atMost(BOUND).until(() -> heartbeats(leader) >= renewed);
        }

        assertThat(leader.events()).containsExactly("granted 1");
        assertThat(heir.events()).isEmpty();
    }

    private int heartbeats(Participant participant) {
        return admin.stat(admin.heartbeat(participant)).getVersion();
    }

    @Test
    @DisplayName("A rolling restart of all servers changes the leader at most once per server")
    void outlastsARollingRestart() {
        TestEnsemble ensemble = keep(TestEnsemble.followedBySlowToNotice());
        List<String> grants = new CopyOnWriteArrayList<>();
        List<Election> all = new ArrayList<>();
        for (String id : List.of("a", "b", "c")) {
            ZooKeeperElections elections = keep(ZooKeeperElections.over(
                    watcher -> new ZooKeeper(ensemble.address(), (int) DEFAULT_SESSION.toMillis(), watcher),
                    ElectionOptions.defaults().candidate(id, Map.of())));
            Election election = elections.election("orders", PATH);
            election.addListener(new ElectionListener() {
                @Override
                public void granted(Leadership term) {
                    grants.add(term.candidate().id());
                }
            });
            election.nominate();
            all.add(election);
        }
        await().atMost(BOUND).until(() -> leading(all) == 1);

        List<Integer> order = new ArrayList<>(TestEnsemble.others(ensemble.leader()));
        order.add(ensemble.leader());
        for (int id : order) {
            int before = grants.size();
            ensemble.stop(id);
            ensemble.start(id);
            ensemble.awaitServing();
            await().atMost(BOUND).until(() -> leading(all) == 1);
            assertThat(grants.size() - before)
                    .as("changes of the leader by the restart of server %d", id)
                    .isLessThanOrEqualTo(1);
        }
        ReportFile.of("rolling-restart.txt").line("Leaders during a rolling restart: " + grants);
    }

    private static long leading(List<Election> all) {
        return all.stream().filter(Election::isLeader).count();
    }
}
