package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What others do wrong, and what the machine refuses, must not end what drives the elections. */
class SelfHealingFaultTests extends ElectionTestSupport {

    @Test
    @DisplayName("A session is opened again after an Error: at a container's limit no thread can be had for a while")
    void errorWhileOpeningASession() {
        var attempts = new AtomicInteger();
        var opened = new AtomicReference<ZooKeeper>();
        Election election = nominate(over(
                watcher -> {
                    if (attempts.incrementAndGet() == 2) {
                        throw new OutOfMemoryError("unable to create native thread: provoked by a test");
                    }
                    opened.set(new ZooKeeper(server.address(), (int) SESSION.toMillis(), watcher));
                    return opened.get();
                },
                options("a")));
        awaitLeader(election);
        EventLog events = EventLog.of(election);

        server.expire(opened.get());

        eventually().until(() -> attempts.get() == 3 && election.isLeader());
        assertThat(events.failures()).isNotEmpty();
    }

    @Test
    @DisplayName("Trouble with the connection is told once to each election, however often it is tried again")
    void troubleIsToldOnce() {
        var attempts = new AtomicInteger();
        var opened = new AtomicReference<ZooKeeper>();
        ZooKeeperElections elections = over(
                watcher -> {
                    int attempt = attempts.incrementAndGet();
                    if (attempt > 1 && attempt < 5) {
                        throw new IOException("provoked by a test");
                    }
                    opened.set(new ZooKeeper(server.address(), (int) SESSION.toMillis(), watcher));
                    return opened.get();
                },
                options("a"));
        Election first = nominate(elections);
        Election second = elections.election("other", "/elections/other");
        second.nominate();
        awaitLeader(first);
        awaitLeader(second);
        EventLog firstEvents = EventLog.of(first);
        EventLog secondEvents = EventLog.of(second);

        server.expire(opened.get());

        eventually().until(() -> attempts.get() == 5 && first.isLeader() && second.isLeader());
        assertThat(firstEvents.failures()).singleElement().asString().contains("provoked by a test");
        assertThat(secondEvents.failures()).hasSize(1);
    }

    @Test
    @DisplayName(
            "Who waits for the end of an election hears of it, also if ZooKeeper is away when all of them are closed")
    void closedWhileZooKeeperIsAway() {
        TcpProxy proxy = proxy();
        ZooKeeperElections elections = over(
                watcher -> new ZooKeeper(proxy.address(), 4_000, watcher),
                options("a")
                        .connectionTimeout(Duration.ofSeconds(1))
                        .drainTimeout(Duration.ofSeconds(1))
                        .failFast(false));
        Election election = nominate(elections);
        awaitLeader(election);
        var told = new AtomicInteger();
        ((ManagedElection) election).whenClosed(told::incrementAndGet);
        proxy.cut();

        elections.close();

        eventually().untilAtomic(told, count -> assertThat(count).isEqualTo(1));
    }

    @Test
    @DisplayName("Who resigns after its session was given up is not told that its node is gone")
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
        // The client that was given up must not come back to end its session.
        proxy.cut();
        server.start();
        assertThat(admin.nodes()).as("the server does not know yet").hasSize(1);
    }

    @Test
    @DisplayName("What is called when an election was closed may open it again, and may fail")
    void foreignCodeWhenClosed() {
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
