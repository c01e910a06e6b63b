package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Listeners and work of the application that block, fail, interrupt or call back must not harm the election. */
class ListenerFaultTests extends ElectionTestSupport {

    /** Blocks application code until the test opens it. */
    private final class Gate {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        Gate() {
            keep((AutoCloseable) opened::countDown);
        }

        void pass() {
            reached.countDown();
            try {
                opened.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void awaitArrival() {
            eventually().until(() -> reached.getCount() == 0);
        }

        void open() {
            opened.countDown();
        }
    }

    private static ElectionListener onGranted(Consumer<Leadership> action) {
        return new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                action.accept(term);
            }
        };
    }

    private static ElectionListener onRevoked(Consumer<Leadership> action) {
        return new ElectionListener() {
            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                action.accept(term);
            }
        };
    }

    @Test
    @Tag("F12")
    @DisplayName("F12: a listener that is notified of the revocation finds the leadership gone, whatever the reason")
    void notLeaderWhenRevoked() {
        TcpProxy proxy = proxy();
        Election election = over(client(proxy), options("a")).election("orders", PATH);
        var seen = new CopyOnWriteArrayList<Boolean>();
        election.addListener(onRevoked(term -> {
            seen.add(election.isLeader());
            seen.add(term.isValid());
            seen.add(election.leadership().isPresent());
        }));
        election.nominate();

        awaitLeader(election);
        election.stepDown();
        awaitLeader(election);
        proxy.cut();
        eventually().until(() -> seen.size() == 6);

        assertThat(seen).containsOnly(false);
    }

    @Test
    @Tag("F12")
    @DisplayName("F12: isLeader() does not wait for listeners, neither to become true nor to become false")
    void slowListenersDoNotHoldUpTheAnswer() throws Exception {
        Election election = over(client(), options("a")).election("orders", PATH);
        Gate granted = new Gate();
        Gate revoked = new Gate();
        election.addListener(onGranted(term -> granted.pass()));
        election.addListener(onRevoked(term -> revoked.pass()));

        election.nominate();
        granted.awaitArrival();
        assertThat(election.isLeader()).isTrue();
        Future<?> stepDown = inBackground(election::stepDown);
        eventually().until(() -> !election.isLeader());
        assertThat(election.role()).isEqualTo(Role.CANDIDATE);
        granted.open();
        revoked.awaitArrival();
        assertThat(election.isLeader()).isFalse();
        assertThat(stepDown.isDone()).isFalse();
        revoked.open();

        stepDown.get(10, TimeUnit.SECONDS);
        awaitLeader(election);
    }

    @Test
    @DisplayName("A late listener that fails on another event than the grant does not cost the term")
    void lateListenerThatFailsOnLeaderChanged() {
        Election election = over(client(), options("a").observe(true)).election("orders", PATH);
        EventLog early = EventLog.of(election);
        election.nominate();
        eventually().until(() -> early.events().contains("leader a"));
        var failed = new CountDownLatch(1);

        election.addListener(new ElectionListener() {
            @Override
            public void leaderChanged(Election election, Optional<Candidate> leader) {
                failed.countDown();
                throw new IllegalStateException("provoked by a test");
            }
        });

        EventLog late = EventLog.of(election);
        eventually().until(() -> late.events().contains("leader a"));
        assertThat(failed.getCount()).isZero();
        assertThat(election.leadership().map(Leadership::term)).contains(1L);
    }

    @Test
    @Tag("F47")
    @DisplayName("F47: a blocking listener delays neither the reaction to a lost connection nor other elections")
    void blockingListener() {
        TcpProxy proxy = proxy();
        ZooKeeperElections elections = over(client(proxy), options("a"));
        Election election = elections.election("orders", PATH);
        Gate gate = new Gate();
        election.addListener(onGranted(term -> gate.pass()));
        election.nominate();
        gate.awaitArrival();

        Election other = elections.election("invoices", "/elections/invoices");
        EventLog events = EventLog.of(other);
        other.nominate();
        awaitLeader(other);
        eventually().until(() -> events.events().equals(List.of("granted 1")));
        await().during(SESSION).atMost(BOUND).until(election::isLeader);

        proxy.cut();
        eventually().until(() -> !election.isLeader() && election.role() == Role.CANDIDATE);
        eventually().until(() -> events.events().equals(List.of("granted 1", "revoked 1 CONNECTION_LOST")));
        proxy.open();
        awaitLeader(other);
        gate.open();
        awaitLeader(election);
    }

    @Test
    @Tag("F47")
    @DisplayName("F47: the listeners of other elections are notified, however many listeners block")
    void manyBlockingListeners() {
        ZooKeeperElections elections = over(client(), options("a"));
        Gate gate = new Gate();
        for (int i = 0; i < 6; i++) {
            Election election = elections.election("blocked-" + i, "/elections/blocked-" + i);
            election.addListener(onGranted(term -> gate.pass()));
            election.nominate();
            awaitLeader(election);
        }

        Election other = nominate(elections);
        EventLog events = EventLog.of(other);

        eventually().until(() -> events.events().equals(List.of("granted 1")));
        gate.open();
    }

    @Test
    @Tag("F48")
    @DisplayName(
            "F48: a listener that interrupts its thread harms neither ZooKeeper's event thread nor later listeners")
    void interruptingListener() {
        var threads = new CopyOnWriteArrayList<String>();
        var interrupted = new CopyOnWriteArrayList<Boolean>();
        Consumer<Leadership> interrupt = term -> {
            threads.add(Thread.currentThread().getName());
            interrupted.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
        };
        Election election = over(client(), options("a")).election("orders", PATH);
        for (int i = 0; i < 2; i++) {
            election.addListener(onGranted(interrupt));
            election.addListener(onRevoked(interrupt));
        }
        election.nominate();

        for (int i = 0; i < 3; i++) {
            awaitLeader(election);
            election.stepDown();
        }
        awaitLeader(election);

        eventually().until(() -> threads.size() == 14);
        assertThat(threads).allMatch(name -> name.startsWith("election-listener"));
        assertThat(interrupted).containsOnly(false);
        assertThat(election.candidates()).hasSize(1);
    }

    @Test
    @Tag("F48")
    @Tag("F50")
    @DisplayName(
            "F48, F50: the lease ends the term if the application has killed the event thread, and a fresh connection recovers")
    void deadEventThread() throws Exception {
        ZooKeeper client = client();
        ZooKeeperElections elections = over(
                client,
                options("a")
                        .failFast(false)
                        .connectionTimeout(Duration.ofMillis(500))
                        .drainTimeout(Duration.ofMillis(500)));
        Election election = nominate(elections);
        EventLog events = EventLog.of(election);
        awaitLeader(election);

        client.exists(
                "/elections",
                false,
                (rc, path, ctx, stat) -> Thread.currentThread().interrupt(),
                null);

        eventually().until(() -> !election.isLeader());
        eventually().until(() -> events.events().contains("revoked 1 LEASE_EXPIRED"));
        assertThat(client.getState()).isEqualTo(ZooKeeper.States.CONNECTED);
        ZooKeeper fresh = client();
        elections.reconnect(fresh);
        client.close();
        awaitLeader(election);
        assertThat(admin.stat(PATH + "/" + admin.holder()).getEphemeralOwner()).isEqualTo(fresh.getSessionId());
    }

    @Test
    @Tag("F50")
    @DisplayName("F50: a closed client, which answers on the caller's thread, causes neither recursion nor deadlock")
    void closedClientAnswersInline() throws Exception {
        ZooKeeper client = client();
        ZooKeeperElections elections = over(
                client,
                options("a")
                        .failFast(false)
                        .connectionTimeout(Duration.ofMillis(500))
                        .drainTimeout(Duration.ofMillis(500)));
        Election election = nominate(elections);
        EventLog events = EventLog.of(election);
        awaitLeader(election);
        client.close();

        List<Future<?>> calls = List.of(
                inBackground(() -> attempt(election::candidates)),
                inBackground(() -> attempt(election::leader)),
                inBackground(() -> attempt(election::withdraw)),
                inBackground(() -> attempt(election::nominate)),
                inBackground(() -> attempt(election::delete)),
                inBackground(() -> attempt(election::close)));
        for (Future<?> call : calls) {
            call.get(15, TimeUnit.SECONDS);
        }

        assertThat(election.isLeader()).isFalse();
        elections.close();
        eventually().untilAsserted(() -> assertThat(electionThreads()).isEmpty());
        assertThat(events.events()).startsWith("granted 1");
        assertThat(events.events().get(1)).startsWith("revoked");
    }

    private static void attempt(Runnable call) {
        try {
            call.run();
        } catch (ElectionException refused) {
            // Expected: the client is closed.
        }
    }

    @Test
    @Tag("F49")
    @DisplayName("F49: listeners may make blocking calls on the same connection and query the election")
    void blockingCallsInListeners() {
        ZooKeeper client = client();
        Election election = over(client, options("a")).election("orders", PATH);
        var results = new CopyOnWriteArrayList<Object>();
        Consumer<Leadership> calls = term -> {
            try {
                results.add(client.create(
                        "/done-", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL));
                results.add(client.getChildren("/", false).size());
                results.add(election.candidates().size());
                results.add(election.leader().isPresent());
            } catch (KeeperException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        election.addListener(onGranted(calls));
        election.addListener(onRevoked(calls));
        election.nominate();
        awaitLeader(election);
        eventually().until(() -> results.size() == 4);

        election.withdraw();

        assertThat(results).hasSize(8);
        assertThat(results.get(0)).isEqualTo("/done-0000000001");
    }

    /** Methods by which a listener may leave. */
    enum Call {
        CLOSE(Election::close, Role.CLOSED),
        RESIGN(Election::resign, Role.CLOSED),
        WITHDRAW(Election::withdraw, Role.OBSERVER),
        DELETE(Election::delete, Role.CLOSED);

        private final Consumer<Election> action;
        private final Role role;

        Call(Consumer<Election> action, Role role) {
            this.action = action;
            this.role = role;
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Call.class)
    @Tag("F51")
    @DisplayName("F51: a listener that leaves the election during the grant does not deadlock")
    void leavesFromTheListener(Call call) {
        Election election =
                over(client(), options("a").drainTimeout(Duration.ofMinutes(1))).election("orders", PATH);
        var returned = new CountDownLatch(1);
        election.addListener(onGranted(term -> {
            call.action.accept(election);
            returned.countDown();
        }));
        EventLog events = EventLog.of(election);

        election.nominate();

        eventually().until(() -> returned.getCount() == 0);
        eventually().until(() -> admin.nodes().isEmpty() && election.role() == call.role);
        eventually().until(() -> events.events().size() >= 2);
        assertThat(events.events().get(0)).isEqualTo("granted 1");
        assertThat(events.events().get(1)).startsWith("revoked");
        assertThat(events.events()).noneMatch(event -> event.endsWith("LISTENER_FAILED"));
    }

    @Test
    @Tag("F51")
    @DisplayName("F51: a listener that steps down at every grant does not deadlock, and goes to the end of the queue")
    void stepsDownFromTheListener() {
        Election election = over(client(), options("a")).election("orders", PATH);
        election.addListener(onGranted(term -> {
            if (term.term() < 4) {
                election.stepDown();
            }
        }));
        EventLog events = EventLog.of(election);

        election.nominate();

        eventually().until(() -> events.terms().size() == 4 && election.isLeader());
        assertThat(events.events())
                .containsExactly(
                        "granted 1",
                        "revoked 1 STEPPED_DOWN",
                        "granted 2",
                        "revoked 2 STEPPED_DOWN",
                        "granted 3",
                        "revoked 3 STEPPED_DOWN",
                        "granted 4");
        assertThat(admin.nodes()).hasSize(1);
    }

    @Test
    @Tag("F51")
    @DisplayName("F51: a listener may close all elections of its connection")
    void closesEverythingFromTheListener() {
        ZooKeeperElections elections = over(client(), options("a").drainTimeout(Duration.ofSeconds(1)));
        Election election = elections.election("orders", PATH);
        var returned = new CountDownLatch(1);
        election.addListener(onGranted(term -> {
            elections.close();
            returned.countDown();
        }));

        election.nominate();

        eventually().until(() -> returned.getCount() == 0);
        eventually().until(() -> admin.nodes().isEmpty() && election.role() == Role.CLOSED);
        eventually().untilAsserted(() -> assertThat(electionThreads()).isEmpty());
    }

    @Test
    @Tag("F51")
    @DisplayName("F51: leader-only work may close its election, which does not wait for that work")
    void closesFromItsWork() throws Exception {
        Election election = nominate(over(client(), options("a").drainTimeout(Duration.ofMinutes(1))));
        awaitLeader(election);

        Future<Boolean> work = inBackground(() -> election.runIfLeader(term -> election.close()));

        assertThat(work.get(10, TimeUnit.SECONDS)).isTrue();
        eventually().until(() -> admin.nodes().isEmpty());
    }
}
