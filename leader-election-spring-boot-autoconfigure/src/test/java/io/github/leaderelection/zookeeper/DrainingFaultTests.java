package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.LeaderOnly.WhenRevoked;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Resignation;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leader-only work that is still running when its term, its session or its election ends. */
class DrainingFaultTests extends ElectionTestSupport {

    /** Runs until the test ends it, and records interrupts. */
    private final class Work {
        private final CountDownLatch end = new CountDownLatch(1);
        private final CountDownLatch interrupted = new CountDownLatch(1);
        private final Future<?> run;

        Work(Election election) throws InterruptedException {
            var started = new CountDownLatch(1);
            run = inBackground(() -> election.runIfLeader(term -> {
                started.countDown();
                while (end.getCount() > 0) {
                    try {
                        end.await();
                    } catch (InterruptedException overdue) {
                        interrupted.countDown();
                    }
                }
            }));
            assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
        }

        boolean isInterrupted() {
            return interrupted.getCount() == 0;
        }

        void end() throws Exception {
            end.countDown();
            run.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    @DisplayName("Closing all elections waits for one that still drains, even if it was opened again in the meantime")
    void reopenedWhileDraining() throws Exception {
        ZooKeeperElections elections = over(sessions(server.address()), options("a"));
        Election first = nominate(elections);
        awaitLeader(first);
        var work = new Work(first);
        inBackground(first::close);
        eventually().until(() -> !first.isLeader());
        assertThat(elections.election("orders", PATH)).isNotSameAs(first);

        Future<?> closing = inBackground(elections::close);

        eventually()
                .during(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(admin.nodes())
                        .as("nodes while the first election drains")
                        .hasSize(1));
        assertThat(closing.isDone()).isFalse();
        work.end();
        closing.get(20, TimeUnit.SECONDS);
        assertThat(work.isInterrupted()).isFalse();
        assertThat(admin.nodes()).isEmpty();
    }

    @Test
    @Tag("F88")
    @DisplayName("F88: running work is interrupted as soon as the session has expired, and closing waits for it")
    void closedAfterAnExpiry() throws Exception {
        ZooKeeper client = client();
        ZooKeeperElections elections = over(client, options("a").drainTimeout(BOUND));
        Election election = nominate(elections);
        awaitLeader(election);
        var work = new Work(election);

        server.expire(client);
        eventually().until(work::isInterrupted);

        Future<?> closing = inBackground(elections::close);
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> closing.get(500, TimeUnit.MILLISECONDS));
        work.end();
        closing.get(20, TimeUnit.SECONDS);
    }

    @Test
    @Tag("F88")
    @DisplayName("F88: a leader that is cut off interrupts its work when its lease ends, before another instance leads")
    void interruptedAtTheLoss() throws Exception {
        TcpProxy proxy = proxy();
        Election election = nominate(over(client(proxy), options("a").drainTimeout(BOUND)));
        awaitLeader(election);
        Election next = candidate("b");
        awaitFollower(next);
        var work = new Work(election);

        proxy.cut();

        eventually().until(work::isInterrupted);
        assertThat(next.isLeader()).isFalse();
        assertThat(election.isLeader()).isFalse();
        work.end();
        awaitLeader(next);
    }

    @Test
    @DisplayName("Closing all elections waits for the work of one that was closed separately after the session expired")
    void closedByItselfAfterAnExpiry() throws Exception {
        ZooKeeper client = client();
        ZooKeeperElections elections = over(client, options("a"));
        Election election = nominate(elections);
        awaitLeader(election);
        var work = new Work(election);
        server.expire(client);
        eventually().until(() -> election.status().candidate().isEmpty());

        Future<?> resigning = inBackground(election::close);
        eventually().until(() -> election.role() == Role.CLOSED);
        Future<?> closing = inBackground(elections::close);

        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> closing.get(500, TimeUnit.MILLISECONDS));
        assertThat(resigning.isDone()).isFalse();
        work.end();
        resigning.get(20, TimeUnit.SECONDS);
        closing.get(20, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("Deleting an election that has ended and still drains does not delete its successor")
    void deletedAgainWhileDraining() throws Exception {
        Election leader = nominate(over(client(), options("a").drainTimeout(BOUND)));
        awaitLeader(leader);
        var work = new Work(leader);
        candidate("b").delete();
        eventually().until(() -> leader.role() == Role.CLOSED);
        Election next = candidate("c");
        awaitLeader(next);

        Future<?> deleting = inBackground(leader::delete);

        eventually().during(Duration.ofMillis(500)).until(() -> next.role() != Role.CLOSED);
        work.end();
        deleting.get(20, TimeUnit.SECONDS);
        assertThat(next.role()).isNotEqualTo(Role.CLOSED);
    }

    @Test
    @DisplayName("The drain time-out of an earlier term does not interrupt the work of the current term")
    void lateDrain() throws Exception {
        var opened = new AtomicReference<ZooKeeper>();
        ZooKeeperElections elections = over(
                watcher -> {
                    opened.set(new ZooKeeper(server.address(), (int) SESSION.toMillis(), watcher));
                    return opened.get();
                },
                options("a").drainTimeout(Duration.ofSeconds(4)));
        Election election = nominate(elections);
        awaitLeader(election);
        var earlier = new Work(election);
        inBackground(election::stepDown);
        eventually().until(() -> !election.isLeader());
        server.expire(opened.get());
        awaitLeader(election);
        Leadership term = election.leadership().orElseThrow();
        var present = new Work(election);

        eventually().until(earlier::isInterrupted);

        assertThat(present.isInterrupted()).isFalse();
        assertThat(term.isValid()).isTrue();
        earlier.end();
        present.end();
    }

    @Test
    @DisplayName("Work that throws when it is notified of the drain time-out does not block the election")
    void overdueCallbackThrows() {
        Election election = nominate(over(client(), options("a").drainTimeout(Duration.ofSeconds(1))));
        awaitLeader(election);
        EventLog events = EventLog.of(election);
        Election other = candidate("b");
        awaitFollower(other);
        LeaderWork.Permit permit = ((ManagedElection) election).admit(WhenRevoked.INTERRUPT, () -> "test");
        permit.whenOverdue(() -> {
            throw new RejectedExecutionException("on purpose");
        });

        inBackground(election::stepDown);

        awaitLeader(other);
        assertThat(events.events()).containsExactly("granted 1", "revoked 1 STEPPED_DOWN");
        permit.close();
    }

    @Test
    @Tag("F31")
    @DisplayName("F31: the node exists until the revoked listener has returned")
    void revokedBeforeTheNodeIsDeleted() throws Exception {
        Election leader = candidate("a");
        awaitLeader(leader);
        Election next = candidate("b");
        awaitFollower(next);
        String node = PATH + "/" + admin.nodes().get(0);
        var entered = new CountDownLatch(1);
        var mayReturn = new CountDownLatch(1);
        leader.addListener(new ElectionListener() {
            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                entered.countDown();
                awaitUninterrupted(mayReturn);
            }
        });

        Future<Resignation> resignation = inBackground(leader::resign);
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        await().during(Duration.ofMillis(500))
                .atMost(BOUND)
                .until(() -> admin.exists(node) && !next.isLeader() && !leader.isLeader());
        mayReturn.countDown();

        assertThat(resignation.get(10, TimeUnit.SECONDS).outcome()).isEqualTo(Resignation.Outcome.CONFIRMED);
        assertThat(admin.exists(node)).isFalse();
        awaitLeader(next);
    }

    @Test
    @Tag("F32")
    @DisplayName("F32: leadership is handed over only after the leader's work has ended")
    void drainedBeforeTheHandOver() throws Exception {
        Election leader = candidate("a");
        awaitLeader(leader);
        Election next = candidate("b");
        awaitFollower(next);
        var working = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        Future<Boolean> work = inBackground(() -> leader.runIfLeader(term -> {
            working.countDown();
            awaitUninterrupted(mayEnd);
        }));
        assertThat(working.await(10, TimeUnit.SECONDS)).isTrue();

        Future<?> stepDown = inBackground(leader::stepDown);
        eventually().until(() -> !leader.isLeader());
        await().during(Duration.ofMillis(500)).atMost(BOUND).until(() -> !next.isLeader() && !stepDown.isDone());
        mayEnd.countDown();

        stepDown.get(10, TimeUnit.SECONDS);
        assertThat(work.get(10, TimeUnit.SECONDS)).isTrue();
        awaitLeader(next);
    }

    @Test
    @Tag("F32")
    @DisplayName("F32: work that does not end delays the hand-over by the drain time-out at most, and is interrupted")
    void workWithoutEnd() throws Exception {
        Election leader = nominate(over(client(), options("a").drainTimeout(Duration.ofMillis(300))));
        awaitLeader(leader);
        Election next = candidate("b");
        awaitFollower(next);
        var working = new CountDownLatch(1);
        var interrupted = new AtomicBoolean();
        Future<Boolean> work = inBackground(() -> leader.runIfLeader(term -> {
            working.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException expected) {
                interrupted.set(true);
            }
        }));
        assertThat(working.await(10, TimeUnit.SECONDS)).isTrue();

        leader.stepDown();

        awaitLeader(next);
        assertThat(work.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(interrupted).isTrue();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
