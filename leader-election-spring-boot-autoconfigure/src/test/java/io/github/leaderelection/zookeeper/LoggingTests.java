package io.github.leaderelection.zookeeper;

import static io.github.leaderelection.zookeeper.fixture.LossyZooKeeper.Fate.DELAY_ANSWER;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.leaderelection.Election;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.LossyZooKeeper;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.fixture.TestClock;
import io.github.leaderelection.zookeeper.znode.NodeName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log lines of elections and their connection. */
class LoggingTests extends ElectionTestSupport {

    @AfterEach
    void expectNoStackTraces() {
        assertThat(log.events()).allMatch(event -> event.getThrowableProxy() == null);
    }

    /** The lines about one candidate. */
    private List<String> lines(String candidate) {
        return log.lines().stream()
                .filter(line -> line.startsWith("Election 'orders': %s ".formatted(candidate)))
                .map(line -> line.substring("Election 'orders': ".length()))
                .toList();
    }

    private static boolean isAboutASlowMachine(String line) {
        return line.startsWith("ZooKeeper took ");
    }

    @Test
    void eachChangeOfRoleIsOneLine() {
        Election first = candidate("a");
        awaitLeader(first);
        Election second = candidate("b");
        awaitFollower(second);
        long token = first.leadership().orElseThrow().fencingToken();
        String node = second.status().following().orElseThrow();

        first.withdraw();
        awaitLeader(second);
        second.resign();

        eventually().untilAsserted(() -> {
            assertThat(lines("a"))
                    .satisfiesExactly(
                            line -> assertThat(line).isEqualTo("a is a candidate"),
                            line -> assertThat(line).isEqualTo("a leads (term 1, fencing token %d)", token),
                            line -> assertThat(line)
                                    .matches(
                                            "a no longer leads: WITHDRAWN \\(term 1, fencing token %d, until .+Z, after PT.+S\\)"
                                                    .formatted(token)),
                            line -> assertThat(line).isEqualTo("a has withdrawn"));
            assertThat(lines("b"))
                    .satisfiesExactly(
                            line -> assertThat(line).isEqualTo("b is a candidate"),
                            line -> assertThat(line).isEqualTo("b follows a (%s)", node),
                            line -> assertThat(line)
                                    .matches(
                                            "b leads \\(term 1, fencing token \\d+, taken over in PT\\d+(\\.\\d{1,3})?S\\)"),
                            line -> assertThat(line).startsWith("b no longer leads: RESIGNED (term 1"));
        });
        assertThat(log.warnings()).allMatch(LoggingTests::isAboutASlowMachine);
    }

    @Test
    void aFollowerNamesTheLeaderAlsoIfItWatchesAnotherCandidate() {
        Election first = candidate("a");
        awaitLeader(first);
        awaitFollower(candidate("b"));
        Election third = candidate("c");
        awaitFollower(third);

        assertThat(third.status().following()).isNotEqualTo(Optional.of(admin.holder()));
        eventually().untilAsserted(() -> assertThat(lines("c")).contains("c follows a (%s)".formatted(admin.holder())));
    }

    @Test
    void aFollowerWhosePredecessorLeavesDoesNotRepeatWhomItFollows() {
        Election leader = candidate("a");
        awaitLeader(leader);
        Election between = candidate("b");
        awaitFollower(between);
        Election last = candidate("c");
        awaitFollower(last);
        String line = "c follows a (%s)".formatted(admin.holder());
        eventually().untilAsserted(() -> assertThat(lines("c")).contains(line));

        between.withdraw();
        eventually().until(() -> last.status().following().equals(Optional.of(admin.holder())));
        // Whatever was to be logged about this candidate is logged before it leads.
        leader.withdraw();
        awaitLeader(last);

        eventually()
                .untilAsserted(() -> assertThat(lines("c"))
                        .satisfiesExactly(
                                first -> assertThat(first).isEqualTo("c is a candidate"),
                                second -> assertThat(second).isEqualTo(line),
                                third -> assertThat(third).startsWith("c leads (term 1")));
    }

    @Test
    void aFollowerNamesTheLeaderAgainAfterItWasDisconnected() {
        Election leader = candidate("a");
        awaitLeader(leader);
        TcpProxy proxy = proxy();
        Election follower = candidate(client(proxy), "b");
        awaitFollower(follower);
        String line = "b follows a (%s)".formatted(admin.holder());
        eventually().untilAsserted(() -> assertThat(lines("b")).contains(line));

        proxy.cutOnce();

        eventually().untilAsserted(() -> assertThat(lines("b")).containsExactly("b is a candidate", line, line));
    }

    @Test
    void electionsWithTheSameLeaderReadItOnceForTheLog() {
        ZooKeeperElections first = over(client(), options("a"));
        ZooKeeperElections second = over(client(), options("b"));
        LossyZooKeeper client = lossyClient();
        ZooKeeperElections third = over(client, options("c"));
        for (int i = 0; i < 5; i++) {
            awaitLeader(join(first, i));
            awaitFollower(join(second, i));
        }
        for (int i = 0; i < 5; i++) {
            join(third, i);
        }

        eventually()
                .untilAsserted(() -> assertThat(log.lines())
                        .filteredOn(line -> line.contains(": c follows a (c-"))
                        .hasSize(5));
        String leader = NodeName.parse(admin.nodes("/elections/shard-0").get(0))
                .orElseThrow()
                .connection();
        assertThat(client.drainRequests())
                .filteredOn(request -> request.startsWith("getData ") && request.contains("/c-" + leader))
                .hasSize(1);
    }

    private static Election join(ZooKeeperElections elections, int shard) {
        Election election = elections.election("shard-" + shard, "/elections/shard-" + shard);
        election.nominate();
        return election;
    }

    @Test
    void aTakeOverFromASilentLeaderTellsForHowLongThereMayHaveBeenNoLeader() {
        Participant silent = participant("a").nominate();
        silent.awaitLeading();
        Election heir = candidate("b");
        awaitHeartbeatWatched(silent);
        silent.proxy().blackHole();
        awaitLeader(heir);

        eventually()
                .untilAsserted(
                        () -> assertThat(lines("b"))
                                .anyMatch(
                                        line -> line.matches(
                                                "b leads \\(term 1, fencing token \\d+, taken over in PT.+S, no leader for up to PT.+S\\)")));
        silent.proxy().open();
    }

    @Test
    void aLeaderThatLeadsAgainTellsForHowLongThereWasNone() {
        TcpProxy proxy = proxy();
        Election election = candidate(client(proxy), "a");
        awaitLeader(election);
        proxy.blackHole();
        eventually().until(() -> !election.isLeader());
        proxy.open();
        awaitLeader(election);

        eventually()
                .untilAsserted(() -> assertThat(lines("a"))
                        .anyMatch(line -> line.matches("a leads \\(term 2, .+, no leader for up to PT.+S\\)")));
    }

    @Test
    void aLeaseThatIsTooLongIsAWarning() {
        Duration lease = SESSION.multipliedBy(10);
        awaitLeader(nominate(over(client(), options("a").lease(lease).failFast(false))));

        assertThat(log.warnings())
                .contains(
                        "The lease is %d ms instead of %d ms: it must be shorter than the session timeout that the server granted"
                                .formatted(SESSION.toMillis() / 3, lease.toMillis()));
    }

    @Test
    void theEndOfALeaseIsNotLoggedByTheThreadThatAsksForIt() {
        var clock = new TestClock();
        TcpProxy proxy = proxy();
        // Not monitored: the monitor would be the one that asks.
        Election election = over(client(proxy), options("a"), clock).election("orders", PATH);
        election.nominate();
        awaitLeader(election);
        proxy.blackHole();

        clock.moveWall(SESSION.toMillis());
        assertThat(election.isLeader()).isFalse();

        eventually().until(() -> log.events().stream().anyMatch(LoggingTests::isAboutTheEndOfATerm));
        proxy.open();
        assertThat(log.events())
                .filteredOn(LoggingTests::isAboutTheEndOfATerm)
                .extracting(ILoggingEvent::getThreadName)
                .doesNotContain(Thread.currentThread().getName());
    }

    private static boolean isAboutTheEndOfATerm(ILoggingEvent event) {
        return event.getFormattedMessage().contains("no longer leads: LEASE_EXPIRED");
    }

    @Test
    void anOrdinaryDisconnectIsNoWarning() {
        Election election = nominate(over(sessions(server.address()), options("a")));
        awaitLeader(election);
        server.stop();
        eventually().until(() -> !election.isLeader());
        server.start();
        awaitLeader(election);

        eventually()
                .untilAsserted(() -> assertThat(lines("a"))
                        .contains("a is a candidate")
                        .anyMatch(line -> line.startsWith("a no longer leads: CONNECTION_LOST (term 1"))
                        .anyMatch(line -> line.startsWith("a leads (term 2")));
        assertThat(log.lines())
                .anyMatch(line -> line.startsWith("Connected to ZooKeeper (session 0x"))
                .anyMatch(line -> line.startsWith("The connection to ZooKeeper is lost"));
        assertThat(log.warnings()).allMatch(LoggingTests::isAboutASlowMachine);
    }

    @Test
    void waitingForAnEarlierLeaseIsLoggedOnce() {
        ZooKeeper client = client();
        Election gone = candidate(client, "a");
        awaitLeader(gone);
        server.expire(client);
        Election next = candidate("b");
        awaitLeader(next);

        eventually()
                .untilAsserted(() -> assertThat(lines("b"))
                        .satisfiesExactly(
                                line -> assertThat(line).isEqualTo("b is a candidate"),
                                line -> assertThat(line)
                                        .matches("b is next and waits PT.+S until no other lease can be valid"),
                                line -> assertThat(line).startsWith("b leads (term 1")));
    }

    @Test
    void aForeignNodeThatBlocksTheQueueIsAWarning() {
        admin.createElection();
        String foreign = admin.create(PATH + "/c-" + "0".repeat(32) + "-", CreateMode.PERSISTENT_SEQUENTIAL);
        candidate("a");
        eventually()
                .untilAsserted(() -> assertThat(log.warnings())
                        .anyMatch(line -> line.startsWith("Election 'orders': Blocked by " + foreign)));
    }

    @Test
    void anUnconfirmedResignationIsAWarning() {
        Election election = nominate(over(
                sessions(server.address()),
                options("a")
                        .failFast(false)
                        .connectionTimeout(Duration.ofMillis(200))
                        .drainTimeout(Duration.ofMillis(200))));
        awaitLeader(election);
        server.stop();
        assertThat(election.resign().outcome()).isEqualTo(Resignation.Outcome.UNCONFIRMED);
        assertThat(log.warnings())
                .anyMatch(line -> line.startsWith("Resigning from election 'orders' was not confirmed"));
    }

    @Test
    void workThatDoesNotEndIsAWarning() throws Exception {
        Election election = nominate(over(client(), options("a").drainTimeout(Duration.ofMillis(50))));
        awaitLeader(election);
        var mayEnd = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var work = inBackground(() -> election.runIfLeader(term -> {
            begun.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException asExpected) {
                Thread.currentThread().interrupt();
            }
        }));
        begun.await();
        election.stepDown();
        assertThat(work.get()).isTrue();
        assertThat(log.warnings())
                .anyMatch(line -> line.contains("was not drained within PT0.05S after the end of term 1")
                        && line.contains("work: %s; busy listeners: none".formatted(LoggingTests.class.getName())));
    }

    @Test
    void aHeartbeatThatTakesLongerThanHalfTheLeaseIsAWarning() {
        TestClock clock = new TestClock();
        LossyZooKeeper client = lossyClient();
        Election election = nominate(over(client, options("a"), clock));
        awaitLeader(election);
        var late = client.interceptNext(
                DELAY_ANSWER, (operation, path) -> operation.equals("setData") && path.contains("/.beats/"));
        eventually().until(late::isTriggered);
        clock.moveMonotonic(SESSION.toMillis() / 3 * 3 / 4);
        late.release();
        eventually()
                .untilAsserted(() -> assertThat(log.warnings())
                        .filteredOn(LoggingTests::isAboutASlowMachine)
                        .singleElement()
                        .asString()
                        .contains("the lease is 1000 ms"));
    }
}
