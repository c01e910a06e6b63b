package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.leaderelection.Election;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Leader-only work that has not ended when something else has. */
class UnfinishedWorkFaultTests extends ElectionTestSupport {

    /** Runs until it is told to end; an interrupt is noted. */
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
    @DisplayName("An election that is opened again while the earlier one drains: closing all waits for the earlier one")
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
                .untilAsserted(() ->
                        assertThat(admin.nodes()).as("of who has not drained").hasSize(1));
        assertThat(closing.isDone()).isFalse();
        work.end();
        closing.get(20, TimeUnit.SECONDS);
        assertThat(work.isInterrupted()).isFalse();
        assertThat(admin.nodes()).isEmpty();
    }

    @Test
    @DisplayName(
            "Closing after the session has expired waits for the work that is still running, and then interrupts it")
    void closedAfterAnExpiry() throws Exception {
        ZooKeeper client = client();
        ZooKeeperElections elections = over(client, options("a").drainTimeout(Duration.ofSeconds(1)));
        Election election = nominate(elections);
        awaitLeader(election);
        var work = new Work(election);
        server.expire(client);
        eventually().until(() -> election.status().candidate().isEmpty());

        elections.close();

        eventually().until(work::isInterrupted);
        work.end();
    }

    @Test
    @DisplayName("An election that is closed by itself after an expiry: closing all waits for its work as well")
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
        assertThat(work.isInterrupted()).isFalse();
    }

    @Test
    @DisplayName("Deleting an election that has ended and still drains does not delete the one that came after it")
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
    @DisplayName("What an earlier term has left to drain does not interrupt the work of the present term")
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
    @DisplayName("Work that fails when it is told that its time is over does not block the election")
    void overdueThrows() {
        Election election = nominate(over(client(), options("a").drainTimeout(Duration.ofSeconds(1))));
        awaitLeader(election);
        EventLog events = EventLog.of(election);
        Election other = candidate("b");
        awaitFollower(other);
        LeaderWork.Permit permit = ((ManagedElection) election).admit();
        permit.interruptOnRevoke();
        permit.whenOverdue(() -> {
            throw new RejectedExecutionException("on purpose");
        });

        inBackground(election::stepDown);

        awaitLeader(other);
        assertThat(events.events()).containsExactly("granted 1", "revoked 1 STEPPED_DOWN");
        permit.close();
    }
}
