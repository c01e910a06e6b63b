package io.github.leaderelection.zookeeper;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How many requests each step of an election costs, counted at the client. */
class RequestCountTests extends ElectionTestSupport {

    private static final Duration LONG_SESSION = Duration.ofSeconds(30);

    private final List<LossyZooKeeper> clients = new ArrayList<>();

    private Election open(String id) {
        LossyZooKeeper client = lossyClient(server.address(), LONG_SESSION);
        clients.add(client);
        return over(client, options(id)).election("orders", PATH);
    }

    @Test
    void theFirstLeadershipOnAnExistingPathTakesThreeRequestsAndSetsTwoWatchesAfterwards() {
        leadOnceAndLeave();
        Election election = open("a");
        LossyZooKeeper client = clients.get(1);
        client.drainRequests();
        List<String> requests = new CopyOnWriteArrayList<>();
        election.addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                requests.addAll(client.drainRequests());
            }
        });

        election.nominate();

        eventually().until(() -> !requests.isEmpty());
        awaitSilence();
        requests.addAll(client.drainRequests());
        // The last two set the watches on its own node and on the queue; it leads without waiting for them.
        assertThat(requests)
                .extracting(RequestCountTests::operation)
                .containsExactly("create", "reads", "multi", "getData", "getChildren");
    }

    private void leadOnceAndLeave() {
        Election election = open("earlier");
        election.nominate();
        awaitLeader(election);
        election.resign();
    }

    @Test
    void aHandOverTakesOneRequestOfTheLeaderAndOneOfItsHeirBeforeThatLeads() {
        Election first = open("a");
        Election second = open("b");
        Election third = open("c");
        first.nominate();
        awaitLeader(first);
        second.nominate();
        awaitFollower(second);
        third.nominate();
        awaitFollower(third);
        awaitSilence();
        clients.forEach(LossyZooKeeper::drainRequests);

        first.withdraw();

        awaitLeader(second);
        awaitSilence();
        assertThat(operations(0)).containsExactly("multi");
        // It leads after the first one, since its heartbeat is recent; the other one sets its watch on the queue.
        assertThat(operations(1)).containsExactly("getData", "getChildren");
        // The heir of the new leader is woken by the hand-over: it sets its watches, and begins to observe and to beat.
        assertThat(operations(2))
                .containsExactlyInAnyOrder("getData", "reads", "addWatch", "getData", "getData", "setData");
    }

    @Test
    void idleFollowersSendNothingButPingsUnlessTheyAreTheHeir() {
        Election leader = open("a");
        leader.nominate();
        awaitLeader(leader);
        for (int i = 0; i < 3; i++) {
            Election follower = open("follower-" + i);
            follower.nominate();
            awaitFollower(follower);
        }
        awaitSilence();
        clients.forEach(LossyZooKeeper::drainRequests);

        // The leader has renewed its lease at least once.
        await().atMost(30, SECONDS)
                .pollInterval(50, MILLISECONDS)
                .until(() -> !clients.get(0).drainRequests().isEmpty());

        assertThat(operations(1))
                .as("the heir, which observes and sends heartbeats")
                .isSubsetOf("getData", "setData");
        assertThat(operations(2)).isEmpty();
        assertThat(operations(3)).isEmpty();
    }

    private List<String> operations(int client) {
        return clients.get(client).drainRequests().stream()
                .map(RequestCountTests::operation)
                .toList();
    }

    private static String operation(String request) {
        return request.split(" ")[0];
    }

    /** Waits until no client has sent anything for 300 ms. */
    private void awaitSilence() {
        long[] last = {-1, System.nanoTime()};
        eventually().until(() -> {
            long sent = clients.stream().mapToLong(LossyZooKeeper::requestCount).sum();
            if (sent != last[0]) {
                last[0] = sent;
                last[1] = System.nanoTime();
            }
            return System.nanoTime() - last[1] > 300_000_000;
        });
    }
}
