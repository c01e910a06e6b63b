package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.zookeeper.fixture.ElectionTestSupport;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A listener that works for a term longer than the term lasts. */
@Tag("F89")
class BusyListenerFaultTests extends ElectionTestSupport {

    private static final Duration SHORT = Duration.ofMillis(300);

    /** Works for its first term until the test lets it return, whether it is interrupted or not. */
    private final class Loop implements ElectionListener {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch interrupted = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);
        private final EventLog events = new EventLog();

        Loop() {
            keep((AutoCloseable) end::countDown);
        }

        @Override
        public void granted(Leadership term) {
            events.granted(term);
            entered.countDown();
            while (end.getCount() > 0) {
                try {
                    end.await();
                } catch (InterruptedException overdue) {
                    interrupted.countDown();
                }
            }
        }

        @Override
        public void revoked(Leadership term, RevocationReason reason) {
            events.revoked(term, reason);
        }

        void awaitInterrupt() {
            eventually().until(() -> interrupted.getCount() == 0);
        }
    }

    private Loop lead(Election election) {
        var loop = new Loop();
        election.addListener(loop);
        election.nominate();
        awaitLeader(election);
        eventually().until(() -> loop.entered.getCount() == 0);
        return loop;
    }

    private static void assertBusy(Election election) {
        assertThat(election.status().error())
                .hasValueSatisfying(error ->
                        assertThat(error).contains(Loop.class.getName()).contains("stays out of the queue"));
        assertThat(election.role()).isEqualTo(Role.CANDIDATE);
    }

    @Test
    @DisplayName(
            "F89: a listener that works on after a step-down is interrupted and keeps its instance out of the queue")
    void outOfTheQueueAfterAHandOver() {
        Election election = over(client(), options("a").drainTimeout(SHORT)).election("orders", PATH);
        Loop loop = lead(election);
        Election next = candidate("b");
        awaitFollower(next);

        election.stepDown();

        loop.awaitInterrupt();
        awaitLeader(next);
        eventually()
                .during(Duration.ofSeconds(1))
                .untilAsserted(() ->
                        assertThat(next.candidates()).extracting(Candidate::id).containsExactly("b"));
        assertBusy(election);
        assertThat(log.warnings())
                .anyMatch(line -> line.startsWith("Election 'orders' was not drained")
                        && line.contains("busy listeners: " + Loop.class.getName()));
        loop.end.countDown();
        awaitFollower(election);
        assertThat(election.status().error()).isEmpty();
        assertThat(loop.events.events()).containsExactly("granted 1", "revoked 1 STEPPED_DOWN");
    }

    @Test
    @DisplayName("F89: the other listeners hear of the grant at once, and of the revocation before the next one leads")
    void othersHearInTime() {
        Election election =
                over(client(), options("a").drainTimeout(Duration.ofSeconds(2))).election("orders", PATH);
        Loop loop = lead(election);
        EventLog other = EventLog.of(election);
        other.awaitEvent("granted 1");
        Election next = candidate("b");
        awaitFollower(next);

        inBackground(election::stepDown);

        other.awaitEvent("revoked 1 STEPPED_DOWN");
        assertThat(next.isLeader()).isFalse();
        assertThat(loop.interrupted.getCount()).isOne();
        awaitLeader(next);
    }

    @Test
    @DisplayName("F89: a hundred busy listeners of one connection do not keep another one from hearing in time")
    void othersHearInTimeHoweverManyAreBusy() {
        Election election = over(client(), options("a").drainTimeout(BOUND)).election("orders", PATH);
        List<Loop> loops = Stream.generate(Loop::new).limit(100).toList();
        loops.forEach(election::addListener);
        EventLog other = EventLog.of(election);
        election.nominate();
        other.awaitEvent("granted 1");
        eventually().until(() -> loops.stream().allMatch(loop -> loop.entered.getCount() == 0));
        Election next = candidate("b");
        awaitFollower(next);

        inBackground(election::stepDown);

        other.awaitEvent("revoked 1 STEPPED_DOWN");
        assertThat(next.isLeader()).isFalse();
        loops.forEach(loop -> loop.end.countDown());
        awaitLeader(next);
    }

    @Test
    @DisplayName("F89: after a loss no term begins before the listeners of the last one have returned")
    void noTermWhileTheLastOneIsWorkedFor() {
        TcpProxy proxy = proxy();
        Election election =
                over(client(proxy), options("a").drainTimeout(BOUND)).election("orders", PATH);
        Loop loop = lead(election);
        EventLog other = EventLog.of(election);

        proxy.cut();
        other.awaitEvent("revoked 1 CONNECTION_LOST");
        proxy.open();

        eventually()
                .during(SESSION.dividedBy(2))
                .until(() -> election.role() == Role.CANDIDATE && !election.isLeader());
        loop.end.countDown();
        awaitLeader(election);
        other.awaitEvent("granted 2");
        assertThat(loop.events.events()).startsWith("granted 1", "revoked 1 CONNECTION_LOST");
    }

    @Test
    @DisplayName("F89: after a loss a listener that works on is interrupted, and the next instance leads")
    void outOfTheQueueAfterALoss() {
        TcpProxy proxy = proxy();
        Election election = over(
                        client(proxy, Duration.ofSeconds(10)), options("a").drainTimeout(SHORT))
                .election("orders", PATH);
        Loop loop = lead(election);
        Election next = candidate("b");
        awaitFollower(next);

        proxy.cut();
        loop.awaitInterrupt();
        proxy.open();

        awaitLeader(next);
        eventually()
                .untilAsserted(() ->
                        assertThat(next.candidates()).extracting(Candidate::id).containsExactly("b"));
        assertBusy(election);
        loop.end.countDown();
        awaitFollower(election);
    }

    @Test
    @DisplayName("F89: an instance that is nominated again joins when its listener has returned")
    void nominatedWhileBusy() {
        Election election = over(client(), options("a").drainTimeout(SHORT)).election("orders", PATH);
        Loop loop = lead(election);
        election.withdraw();
        assertThat(election.role()).isEqualTo(Role.OBSERVER);

        election.nominate();

        eventually().during(SHORT).untilAsserted(() -> assertBusy(election));
        assertThat(admin.nodes()).isEmpty();
        loop.end.countDown();
        awaitLeader(election);
        assertThat(election.leadership()).map(Leadership::term).contains(2L);
    }

    @Test
    @DisplayName("F89: an instance whose listener never returns can leave for good")
    void closedWhileBusy() {
        Election election = over(client(), options("a").drainTimeout(SHORT)).election("orders", PATH);
        lead(election);

        election.close();

        assertThat(election.role()).isEqualTo(Role.CLOSED);
        assertThat(admin.nodes()).isEmpty();
    }
}
