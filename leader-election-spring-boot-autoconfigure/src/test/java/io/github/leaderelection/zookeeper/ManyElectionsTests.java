package io.github.leaderelection.zookeeper;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.znode.LeaderRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thousand elections on one connection must cost one connection's threads and one connection's beats. */
class ManyElectionsTests {

    private static final int MANY = 1_000;
    private static final Duration SESSION = Duration.ofSeconds(12);

    private TestServer server;
    private LossyZooKeeper first;
    private LossyZooKeeper second;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer();
        first = connect();
        second = connect();
    }

    @AfterEach
    void stop() throws Exception {
        first.close();
        second.close();
        server.close();
    }

    @Test
    void allAreLedByOneConnectionAndTakenOverByTheOther() throws Exception {
        int threadsBefore = ourThreads();
        var leaders = ZooKeeperElections.over(first, options("first"));
        var followers = ZooKeeperElections.over(second, options("second"));
        List<Election> led = open(leaders);
        List<Election> following = open(followers);

        led.forEach(Election::nominate);
        await().atMost(60, SECONDS).until(() -> led.stream().allMatch(Election::isLeader));
        following.forEach(Election::nominate);
        await().atMost(60, SECONDS)
                .until(() -> following.stream().allMatch(election -> election.role() == Role.FOLLOWER));
        assertThat(ourThreads() - threadsBefore).isLessThanOrEqualTo(12);

        awaitQuiet();
        // One renewal per quarter lease from the connection that leads, and nothing from the one that follows.
        first.drainLog();
        long before = second.requests();
        long start = System.nanoTime();
        long quarter = SESSION.toMillis() / 3 / 4;
        await().atMost(60, SECONDS)
                .pollInterval(50, MILLISECONDS)
                .until(() -> System.nanoTime() - start > 4 * quarter * 1_000_000);
        long elapsed = (System.nanoTime() - start) / 1_000_000;
        List<String> sent = first.drainLog();
        assertThat(sent).allMatch(ManyElectionsTests::isBeat);
        assertThat(sent).hasSizeBetween(1, (int) (elapsed / quarter) + 1);
        assertThat(second.requests()).isEqualTo(before);

        leaders.close();
        await().atMost(60, SECONDS).until(() -> following.stream().allMatch(Election::isLeader));
        followers.close();
        await().atMost(20, SECONDS).until(() -> ourThreads() <= threadsBefore);
    }

    private static boolean isBeat(String request) {
        return request.startsWith("setData /elections/.beats/");
    }

    /** Watches are set, and the queue is read, when there is time for it. */
    private void awaitQuiet() {
        await().atMost(60, SECONDS)
                .pollInterval(2, SECONDS)
                .until(() -> first.drainLog().stream().allMatch(ManyElectionsTests::isBeat)
                        & second.drainLog().isEmpty());
    }

    @Test
    void aBeatAndAFewPacketsAreAllThatALeaderSendsAfterAReconnect() throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.port());
                LossyZooKeeper cutOff = connect(proxy.address(), Duration.ofSeconds(40));
                ZooKeeperElections elections = ZooKeeperElections.over(cutOff, options("first"))) {
            List<Election> led = open(elections);
            List<Recorder> told = led.stream().map(FaultTestBench::listenTo).toList();
            led.forEach(Election::nominate);
            await().atMost(60, SECONDS).until(() -> led.stream().allMatch(Election::isLeader));
            await().atMost(60, SECONDS).until(() -> server.watches() == 2 * MANY);
            cutOff.drainLog();

            proxy.cutOnce();

            List<String> sent = new ArrayList<>();
            await().atMost(60, SECONDS).until(() -> {
                sent.addAll(cutOff.drainLog());
                return sent.stream().anyMatch(request -> request.startsWith("reads"));
            });
            assertThat(sent.get(0)).startsWith("setData /elections/.beats/");
            // Its own watches are set once more, but only when there is time.
            assertThat(sent)
                    .filteredOn(request -> !request.startsWith("getData"))
                    .hasSizeLessThan(MANY / 10);
            assertThat(told).allMatch(recorder -> recorder.events().equals(List.of("granted")));
            assertThat(led).allMatch(Election::isLeader);
        }
    }

    @Test
    void closingHandsAllOverInParallel() throws Exception {
        var elections = ZooKeeperElections.over(first, options("first"));
        List<Election> led = open(elections);
        led.forEach(Election::nominate);
        await().atMost(60, SECONDS).until(() -> led.stream().allMatch(Election::isLeader));

        LossyZooKeeper.Fault firstAnswer = first.next(LossyZooKeeper.Fate.DELAY_ANSWER, "multi");
        first.drainLog();
        Thread closer = new Thread(elections::close);
        closer.start();
        // None waits for another: all are on their way before the first is answered.
        await().atMost(60, SECONDS).until(() -> first.requests("multi") == MANY && firstAnswer.isMet());
        firstAnswer.release();
        closer.join(60_000);

        assertThat(led).allMatch(election -> election.role() == Role.CLOSED);
        for (Election election : led.subList(0, 10)) {
            assertThat(second.getChildren(election.path(), false)).containsExactly(LeaderRecord.NODE);
        }
    }

    private static List<Election> open(ZooKeeperElections elections) {
        return IntStream.range(0, MANY)
                .mapToObj(i -> elections.election("e-" + i, "/elections/e-" + i))
                .toList();
    }

    private static ElectionOptions options(String id) {
        return ElectionOptions.defaults().candidate(id, Map.of()).recheckInterval(Duration.ofMinutes(5));
    }

    private LossyZooKeeper connect() throws IOException, InterruptedException {
        return connect(server.address(), SESSION);
    }

    private static LossyZooKeeper connect(String address, Duration session) throws IOException, InterruptedException {
        var connected = new CountDownLatch(1);
        var client = new LossyZooKeeper(address, (int) session.toMillis(), event -> connected.countDown());
        assertThat(connected.await(20, SECONDS)).isTrue();
        return client;
    }

    private static int ourThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("election-"))
                .count();
    }
}
