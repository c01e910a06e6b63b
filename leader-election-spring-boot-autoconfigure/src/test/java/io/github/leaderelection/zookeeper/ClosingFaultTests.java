package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closing, while others open, close or cannot be reached. */
class ClosingFaultTests extends ElectionTestSupport {

    @Test
    @Tag("F30")
    @DisplayName("F30: whoever opens an election while all are closed gets it or is refused, and nothing is left of it")
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
                    // One of the two that may happen.
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
    @DisplayName("An election may be closed while all of them are")
    void closingOneWhileClosingAll() throws Exception {
        ZooKeeper client = client();
        for (int round = 0; round < 100; round++) {
            ZooKeeperElections elections = over(client, options("a"));
            List<Election> some = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                some.add(elections.election("orders-" + i, PATH + "-" + i));
            }
            var together = new CyclicBarrier(2);
            Future<?> closing = inBackground(() -> {
                together.await();
                some.forEach(Election::close);
                return null;
            });
            together.await();
            elections.close();
            closing.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    @DisplayName("Without a connection, closing all and then each of them takes no longer than closing one")
    void closingManyWithoutAConnection() {
        TcpProxy proxy = proxy();
        ZooKeeperElections elections = over(
                client(proxy),
                options("a")
                        .failFast(false)
                        .connectionTimeout(Duration.ofSeconds(1))
                        .drainTimeout(Duration.ofSeconds(1)));
        List<Election> some = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Election election = elections.election("orders-" + i, PATH + "-" + i);
            election.nominate();
            some.add(election);
        }
        some.forEach(ElectionTestSupport::awaitLeader);
        proxy.blackHole();

        long start = System.nanoTime();
        elections.close();
        some.forEach(Election::close);

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("time for two seconds of patience, by six calls")
                .isLessThan(Duration.ofSeconds(6));
    }

    @Test
    @DisplayName("A step-down whose session ends before it is confirmed is told to be unconfirmed")
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
    @DisplayName("Whoever is told of an election's end can open it again there and then")
    void openedAgainWhenTheEndIsTold() {
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
}
