package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.Participant;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closing elections while others are opened or closed, or while ZooKeeper cannot be reached. */
class ClosingFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F30")
    @DisplayName("F30: an election opened while all are being closed works or is refused, and leaves no node")
    void openingWhileClosing() throws Exception {
        ZooKeeper client = client();
        for (int round = 0; round < 100; round++) {
            ZooKeeperElections elections = over(client, options("a"));
            var together = new CyclicBarrier(2);
            Future<?> opening = inBackground(() -> {
                together.await();
                try {
                    elections.election("orders", PATH).nominate();
                } catch (ElectionClosedException late) {
                    // One of the two allowed results.
                }
                return null;
            });
            together.await();
            elections.close();
            opening.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        }
        eventually().until(() -> admin.nodes().isEmpty());
    }

    @Test
    @DisplayName("A single election can be closed while all of them are being closed")
    void closingOneWhileClosingAll() throws Exception {
        ZooKeeper client = client();
        for (int round = 0; round < 100; round++) {
            ZooKeeperElections elections = over(client, options("a"));
            List<Election> opened = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                opened.add(elections.election("orders-" + i, PATH + "-" + i));
            }
            var together = new CyclicBarrier(2);
            Future<?> closing = inBackground(() -> {
                together.await();
                opened.forEach(Election::close);
                return null;
            });
            together.await();
            elections.close();
            closing.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    @DisplayName("Without a connection, closing many elections takes no longer than closing one")
    void closingManyWithoutAConnection() {
        TcpProxy proxy = proxy();
        ZooKeeperElections elections = over(
                client(proxy),
                options("a")
                        .failFast(false)
                        .connectionTimeout(Duration.ofSeconds(1))
                        .drainTimeout(Duration.ofSeconds(1)));
        List<Election> opened = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Election election = elections.election("orders-" + i, PATH + "-" + i);
            election.nominate();
            opened.add(election);
        }
        opened.forEach(ElectionTestSupport::awaitLeader);
        proxy.blackHole();

        long start = System.nanoTime();
        elections.close();
        opened.forEach(Election::close);

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("time of six calls that wait for up to two seconds each")
                .isLessThan(Duration.ofSeconds(6));
    }

    @Test
    @DisplayName("A step-down is reported as unconfirmed if the session ends before the confirmation")
    void steppingDownWithoutASession() throws Exception {
        TcpProxy proxy = proxy();
        ZooKeeper client = client(proxy, Duration.ofSeconds(15));
        ZooKeeperElections elections = over(client, options("a"));
        Election election = nominate(elections);
        awaitLeader(election);
        proxy.blackHole();

        Future<Throwable> steppingDown = inBackground(() -> {
            try {
                election.stepDown();
                return null;
            } catch (ElectionConnectionException unconfirmed) {
                return unconfirmed;
            }
        });
        eventually().until(() -> !election.isLeader());
        elections.reconnect(client());

        assertThat(steppingDown.get(BOUND.toSeconds(), TimeUnit.SECONDS)).hasMessageContaining("session ended");
        awaitLeader(election);
    }

    @Test
    @DisplayName(
            "Without a connection, a deletion is reported as unconfirmed after the connection timeout, and completed later")
    void deletingWithoutAConnection() {
        Participant leader = participant("a")
                .session(Duration.ofSeconds(50))
                .options(o -> o.connectionTimeout(Duration.ofSeconds(1)))
                .nominate();
        leader.awaitLeading();
        leader.proxy().cut();

        assertThatExceptionOfType(ElectionConnectionException.class)
                .isThrownBy(() -> leader.election().delete())
                .withMessageContaining("within PT1S");
        leader.proxy().open();

        eventually().until(() -> leader.election().role() == Role.CLOSED && !admin.exists(PATH));
    }

    @Test
    @DisplayName("A listener can open an election again as soon as it is notified of its end")
    void openedAgainByAListener() {
        ZooKeeperElections formerLeaders = over(client(), options("a"));
        ZooKeeperElections leaders = over(client(), options("b"));
        Election formerLeader = nominate(formerLeaders);
        awaitLeader(formerLeader);
        Election leader = nominate(leaders);
        awaitFollower(leader);
        formerLeader.stepDown();
        awaitLeader(leader);
        awaitFollower(formerLeader);
        List<Election> again = new CopyOnWriteArrayList<>();
        formerLeader.addListener(opensAgain(formerLeaders, again));
        leader.addListener(opensAgain(leaders, again));

        leader.delete();

        eventually().until(() -> again.size() == 2);
        assertThat(again).doesNotContain(leader, formerLeader);
        eventually()
                .untilAsserted(() -> assertThat(again)
                        .extracting(Election::role)
                        .containsExactlyInAnyOrder(Role.LEADER, Role.FOLLOWER));
        assertThatExceptionOfType(ElectionClosedException.class).isThrownBy(formerLeader::nominate);
    }

    private static ElectionListener opensAgain(ZooKeeperElections elections, List<Election> opened) {
        return new ElectionListener() {
            @Override
            public void ended(Election election) {
                Election again = elections.election("orders", PATH);
                again.nominate();
                opened.add(again);
            }
        };
    }

    @Test
    @DisplayName(
            "A callback for the end of an election is called even if ZooKeeper is down when all elections are closed")
    void closedWhileZooKeeperIsDown() {
        TcpProxy proxy = proxy();
        ZooKeeperElections elections = over(
                watcher -> new ZooKeeper(proxy.address(), 4_000, watcher),
                options("a")
                        .connectionTimeout(Duration.ofSeconds(1))
                        .drainTimeout(Duration.ofSeconds(1))
                        .failFast(false));
        Election election = nominate(elections);
        awaitLeader(election);
        var calls = new AtomicInteger();
        ((ManagedElection) election).whenClosed(calls::incrementAndGet);
        proxy.cut();

        elections.close();

        eventually().untilAtomic(calls, count -> assertThat(count).isEqualTo(1));
    }

    @Test
    @DisplayName("A resignation after the session was given up is reported as unconfirmed")
    void resignedAfterTheSessionWasGivenUp() {
        TcpProxy proxy = proxy();
        Election election = nominate(over(
                watcher -> new ZooKeeper(proxy.address(), 4_000, watcher),
                options("a").connectionTimeout(Duration.ofSeconds(3))));
        awaitLeader(election);
        server.stop();
        eventually().until(() -> election.status().candidate().isEmpty());

        Resignation resignation = election.resign();

        assertThat(resignation.outcome()).isEqualTo(Resignation.Outcome.UNCONFIRMED);
        // The client that was given up must not reconnect and end its session.
        proxy.cut();
        server.start();
        assertThat(admin.nodes()).as("nodes before the session has expired").hasSize(1);
    }

    @Test
    @DisplayName("A callback for the end of an election may open the election again, and may fail")
    void callbackWhenClosed() {
        ZooKeeperElections elections = over(client(), options("a"));
        Election other = elections.election("other", "/elections/other");
        other.nominate();
        awaitLeader(other);
        Election first = nominate(elections);
        awaitLeader(first);
        var again = new AtomicReference<Election>();
        ((ManagedElection) first).whenClosed(() -> {
            throw new IllegalStateException("provoked by a test");
        });
        ((ManagedElection) first).whenClosed(() -> again.set(nominate(elections)));

        assertThat(first.resign().outcome()).isEqualTo(Resignation.Outcome.CONFIRMED);

        eventually().until(() -> again.get() != null && again.get().isLeader());
        assertThat(other.isLeader()).isTrue();
    }
}
