package io.github.leaderelection.zookeeper;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** A thousand elections on one connection need no more threads and heartbeats than one. */
class ManyElectionsTests extends ElectionTestSupport {

    private static final int MANY = 1_000;
    private static final Duration LONG_SESSION = Duration.ofSeconds(12);

    private LossyZooKeeper connect() {
        return lossyClient(server.address(), LONG_SESSION);
    }

    private static List<Election> open(ZooKeeperElections elections) {
        return IntStream.range(0, MANY)
                .mapToObj(i -> elections.election("e-" + i, "/elections/e-" + i))
                .toList();
    }

    private static ConditionFactory withinAMinute() {
        return await().atMost(60, SECONDS);
    }

    @Test
    void oneConnectionLeadsAllOfThemAndAnotherOneTakesAllOver() {
        LossyZooKeeper first = connect();
        LossyZooKeeper second = connect();
        int threadsBefore = electionThreads().size();
        ZooKeeperElections leaders = over(first, options("first"));
        ZooKeeperElections followers = over(second, options("second"));
        List<Election> led = open(leaders);
        List<Election> followed = open(followers);

        led.forEach(Election::nominate);
        withinAMinute().until(() -> led.stream().allMatch(Election::isLeader));
        followed.forEach(Election::nominate);
        withinAMinute().until(() -> followed.stream().allMatch(election -> election.role() == Role.FOLLOWER));
        assertThat(electionThreads().size() - threadsBefore).isLessThanOrEqualTo(12);

        awaitOnlyHeartbeats(first, second);
        // The leading connection renews every sixth of a lease, and looks once at its heir's heartbeat. The heir reads
        // each
        // renewal, and sends two heartbeats of its own.
        first.drainRequests();
        second.drainRequests();
        long start = System.nanoTime();
        long sixth = LONG_SESSION.toMillis() / 3 / 6;
        withinAMinute().pollInterval(50, MILLISECONDS).until(() -> System.nanoTime() - start > 6 * sixth * 1_000_000);
        long elapsed = (System.nanoTime() - start) / 1_000_000;
        List<String> sent = first.drainRequests();
        assertThat(sent).allMatch(ManyElectionsTests::isHeartbeat);
        assertThat(sent).hasSizeBetween(1, (int) (elapsed / sixth) + 3);
        List<String> observed = second.drainRequests();
        assertThat(observed).allMatch(ManyElectionsTests::isHeartbeat);
        assertThat(observed).hasSizeBetween(1, 2 * (int) (elapsed / sixth) + 4);

        leaders.close();
        withinAMinute().until(() -> followed.stream().allMatch(Election::isLeader));
        followers.close();
        eventually().until(() -> electionThreads().size() <= threadsBefore);
    }

    private static boolean isHeartbeat(String request) {
        return request.contains(" " + HEARTBEATS + "/");
    }

    /** Watches are set, and queues are read, when the connection is idle. */
    private static void awaitOnlyHeartbeats(LossyZooKeeper leading, LossyZooKeeper following) {
        withinAMinute()
                .pollInterval(2, SECONDS)
                .until(() -> leading.drainRequests().stream().allMatch(ManyElectionsTests::isHeartbeat)
                        & following.drainRequests().stream().allMatch(ManyElectionsTests::isHeartbeat));
    }

    @Test
    void aLeaderSendsAHeartbeatAndFewBatchesOfReadsAfterAReconnect() {
        TcpProxy proxy = proxy();
        LossyZooKeeper client = lossyClient(proxy.address(), Duration.ofSeconds(40));
        List<Election> led = open(over(client, options("first")));
        List<EventLog> logs = led.stream().map(EventLog::of).toList();
        led.forEach(Election::nominate);
        withinAMinute().until(() -> led.stream().allMatch(Election::isLeader));
        withinAMinute().until(() -> server.watches() == 2 * MANY);
        client.drainRequests();

        proxy.cutOnce();

        List<String> sent = new ArrayList<>();
        withinAMinute().until(() -> {
            sent.addAll(client.drainRequests());
            return sent.stream().anyMatch(request -> request.startsWith("reads"));
        });
        assertThat(sent.get(0)).matches(ManyElectionsTests::isHeartbeat);
        // Its own watches are set again, but only when the connection is idle.
        assertThat(sent).filteredOn(request -> !request.startsWith("getData")).hasSizeLessThan(MANY / 10);
        assertThat(logs).allMatch(log -> log.events().equals(List.of("granted 1")));
        assertThat(led).allMatch(Election::isLeader);
    }

    @Test
    void closingHandsAllOfThemOverInParallel() throws Exception {
        LossyZooKeeper client = connect();
        ZooKeeperElections elections = over(client, options("first"));
        List<Election> led = open(elections);
        led.forEach(Election::nominate);
        withinAMinute().until(() -> led.stream().allMatch(Election::isLeader));

        LossyZooKeeper.Fault firstAnswer = client.interceptNext(LossyZooKeeper.Fate.DELAY_ANSWER, "multi");
        client.drainRequests();
        Future<?> closing = inBackground(elections::close);
        // All hand-overs are sent before the first one is answered.
        withinAMinute().until(() -> client.requestCount("multi") == MANY && firstAnswer.isTriggered());
        firstAnswer.release();
        closing.get(60, SECONDS);

        assertThat(led).allMatch(election -> election.role() == Role.CLOSED);
        for (Election election : led.subList(0, 10)) {
            assertThat(admin.children(election.path())).containsExactly(LeaderRecord.NODE);
        }
    }
}
