package io.github.leaderelection.zookeeper;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each step costs in requests, counted at the client. */
class RequestsOnTheWireTests {

    private static final String PATH = "/elections/orders";
    private static final Duration SESSION = Duration.ofSeconds(30);

    private final List<LossyZooKeeper> clients = new ArrayList<>();
    private final List<ZooKeeperElections> opened = new ArrayList<>();
    private TestServer server;

    @BeforeEach
    void start() {
        server = new TestServer();
    }

    @AfterEach
    void stop() throws Exception {
        opened.forEach(ZooKeeperElections::close);
        for (LossyZooKeeper client : clients) {
            client.close();
        }
        server.close();
    }

    @Test
    void theFirstLeadershipOnAnExistingPathTakesThreeRequestsAndTwoWatchesAfterwards() throws Exception {
        leadOnceAndLeave();
        Election election = open("a");
        LossyZooKeeper client = clients.get(1);
        client.drainLog();
        List<String> untilGranted = new ArrayList<>();
        election.addListener(new Recorder() {
            @Override
            public void granted(io.github.leaderelection.Leadership term) {
                untilGranted.addAll(client.drainLog());
                super.granted(term);
            }
        });

        election.nominate();

        await().until(() -> !untilGranted.isEmpty());
        awaitQuiet();
        untilGranted.addAll(client.drainLog());
        // The watches on its own node and on the queue are set as soon as it leads; they are not what it waits for.
        assertThat(untilGranted.stream().map(request -> request.split(" ")[0]).toList())
                .containsExactly("create", "reads", "multi", "getData", "getChildren");
    }

    @Test
    void aHandOverTakesOneRequestOfTheLeaderTwoOfASuccessorThatHasJustBeenProvenAndNoneOfBystanders() throws Exception {
        Election first = open("a");
        Election second = open("b");
        Election third = open("c");
        first.nominate();
        assertThat(first.awaitLeadership(Duration.ofSeconds(20))).isTrue();
        second.nominate();
        await().until(() -> second.role() == Role.FOLLOWER);
        third.nominate();
        await().until(() -> third.role() == Role.FOLLOWER);
        awaitQuiet();
        clients.forEach(LossyZooKeeper::drainLog);

        first.withdraw();

        assertThat(second.awaitLeadership(Duration.ofSeconds(20))).isTrue();
        awaitQuiet();
        assertThat(operations(0)).containsExactly("multi");
        // It leads after the first one; the other one is the leader's watch on the queue.
        assertThat(operations(1)).containsExactly("getData", "getChildren");
        assertThat(operations(2)).isEmpty();
    }

    @Test
    void idleFollowersSendNothingButPings() throws Exception {
        Election leader = open("a");
        leader.nominate();
        assertThat(leader.awaitLeadership(Duration.ofSeconds(20))).isTrue();
        for (int i = 0; i < 3; i++) {
            Election follower = open("f" + i);
            follower.nominate();
            await().until(() -> follower.role() == Role.FOLLOWER);
        }
        awaitQuiet();
        clients.forEach(LossyZooKeeper::drainLog);

        // Long enough for several renewals of the leader's lease, a third of the session timeout.
        await().atMost(30, SECONDS)
                .pollInterval(50, MILLISECONDS)
                .until(() -> clients.get(0).drainLog().size() >= 1);

        for (int i = 1; i <= 3; i++) {
            assertThat(operations(i)).isEmpty();
        }
    }

    private List<String> operations(int client) {
        return clients.get(client).drainLog().stream()
                .map(request -> request.split(" ")[0])
                .toList();
    }

    /** Until nobody has sent anything for a while. */
    private void awaitQuiet() {
        long[] last = {-1, System.nanoTime()};
        await().atMost(20, SECONDS).pollInterval(20, MILLISECONDS).until(() -> {
            long now = clients.stream().mapToLong(LossyZooKeeper::requests).sum();
            if (now != last[0]) {
                last[0] = now;
                last[1] = System.nanoTime();
            }
            return System.nanoTime() - last[1] > 300_000_000;
        });
    }

    private void leadOnceAndLeave() throws Exception {
        Election election = open("before");
        election.nominate();
        assertThat(election.awaitLeadership(Duration.ofSeconds(20))).isTrue();
        election.resign();
    }

    private Election open(String id) throws IOException, InterruptedException {
        var connected = new CountDownLatch(1);
        var client = new LossyZooKeeper(server.address(), (int) SESSION.toMillis(), event -> connected.countDown());
        assertThat(connected.await(20, SECONDS)).isTrue();
        clients.add(client);
        var options = ElectionOptions.defaults().candidate(id, Map.of()).recheckInterval(Duration.ofMinutes(5));
        var elections = ZooKeeperElections.over(client, options);
        opened.add(elections);
        return elections.election("orders", PATH);
    }
}
