package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Election;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Sessions that end, or cannot be opened at first. */
class SessionRecoveryFaultTests extends ElectionTestSupport {

    /**
     * Whether the deletion of the node or the end of the connection is noticed first is a matter of chance. The session is so long
     * that the client reconnects, and hears of its end, before the lease is over.
     */
    @RepeatedTest(5)
    @DisplayName("A leader whose session is ended by the server is revoked for that reason")
    void reasonOfAnEndedSession() {
        ZooKeeper client = keep(server.connect(Duration.ofSeconds(30)));
        Election election = nominate(over(client, options("a")));
        EventLog events = EventLog.of(election);
        awaitLeader(election);

        server.expire(client);

        eventually().until(() -> events.events().size() > 1);
        assertThat(events.events()).startsWith("granted 1", "revoked 1 SESSION_EXPIRED");
    }

    @Test
    @DisplayName("A session is opened again after an Error, such as one for a lack of threads")
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
    @DisplayName("A failing connection is reported once to each election, however often it is tried again")
    void failureIsReportedOnce() {
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
}
