package io.github.leaderelection.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionContract;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.LeaderOnly.WhenRevoked;
import io.github.leaderelection.LeaderWork;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ElectionMonitor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestElectionTests extends ElectionContract {

    private final TestElection election = new TestElection("orders");
    private final EventLog log = new EventLog();
    private final Candidate other = new Candidate("other", Map.of(), 7, 7, Instant.EPOCH);

    @Override
    protected Election open(String name, Duration drainTimeout) {
        return new TestElection(name, drainTimeout);
    }

    @Override
    protected void grant(Election election) {
        ((TestElection) election).grant();
    }

    @Test
    void aNominatedProcessLeadsWhenTheTestSaysSo() {
        election.nominate();
        assertThat(election.role()).isEqualTo(Role.CANDIDATE);
        assertThat(election.isLeader()).isFalse();
        assertThat(election.candidates()).extracting(Candidate::id).containsExactly("test");
        Leadership term = election.grant();
        assertThat(election.leadership()).containsSame(term);
        assertThat(election.path()).isEqualTo("/elections/orders");
    }

    @Test
    void grantingNominatesWhereNeeded() {
        assertThat(election.grant().isValid()).isTrue();
        assertThat(election.role()).isEqualTo(Role.LEADER);
    }

    @Test
    void grantingAgainChangesNothing() {
        election.addListener(log);
        Leadership term = election.grant();
        assertThat(election.grant()).isSameAs(term);
        assertThat(log.events()).containsExactly("granted 1");
    }

    @Test
    void listenersAreCalledOnTheCallingThreadBeforeTheCallReturns() {
        List<Thread> threads = new ArrayList<>();
        election.addListener(new EventLog() {
            @Override
            public void add(String event) {
                log.add(event);
                threads.add(Thread.currentThread());
            }
        });
        election.grant();
        assertThat(log.events()).containsExactly("granted 1");
        election.revoke(RevocationReason.CONNECTION_LOST);
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 CONNECTION_LOST");
        election.leaderChanged(other);
        election.end();
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 CONNECTION_LOST", "leader other", "ended");
        assertThat(threads).hasSize(4).containsOnly(Thread.currentThread());
    }

    @ParameterizedTest
    @EnumSource
    void leadershipCanBeRevokedForAnyReasonAndGrantedAgain(RevocationReason reason) {
        election.addListener(log);
        Leadership first = election.grant();
        election.revoke(reason);
        assertThat(first.isValid()).isFalse();
        assertThat(election.role()).isEqualTo(Role.CANDIDATE);
        Leadership second = election.grant();
        assertThat(second.term()).isEqualTo(2);
        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 " + reason, "granted 2");
    }

    @Test
    void onlyALeaderCanLoseItsLeadership() {
        assertThatIllegalStateException()
                .isThrownBy(() -> election.revoke(RevocationReason.SESSION_EXPIRED))
                .withMessageContaining("orders");
    }

    @Test
    void revokingDoesNotWaitForWork() {
        election.grant();
        assertThat(election.runIfLeader(term -> {
                    election.revoke(RevocationReason.CONNECTION_LOST);
                    assertThat(term.isValid()).isFalse();
                    assertThat(election.grant().isValid()).isTrue();
                    assertThat(Leadership.current()).containsSame(term);
                }))
                .isTrue();
    }

    @Test
    void steppingDownLeavesACandidate() {
        election.grant();
        election.stepDown();
        assertThat(election.role()).isEqualTo(Role.CANDIDATE);
        assertThat(election.isLeader()).isFalse();
    }

    @Test
    void anotherCandidateMayLead() {
        election.addListener(log);
        election.leaderChanged(other);
        assertThat(election.role()).isEqualTo(Role.OBSERVER);
        assertThat(election.leader()).contains(other);
        election.nominate();
        assertThat(election.role()).isEqualTo(Role.FOLLOWER);
        assertThat(election.status().role()).isEqualTo(Role.FOLLOWER);
        assertThat(election.candidates()).extracting(Candidate::id).containsExactly("other", "test");
        election.leaderChanged(null);
        assertThat(election.leader()).isEmpty();
        assertThat(election.role()).isEqualTo(Role.CANDIDATE);
        assertThat(log.events()).containsExactly("leader other", "leader nobody");
    }

    @Test
    void whoIsGrantedLeadershipTakesItFromTheOther() {
        election.leaderChanged(other);
        Leadership term = election.grant();
        assertThat(election.leader()).contains(term.candidate());
        election.revoke(RevocationReason.NODE_LOST);
        assertThat(election.leader()).isEmpty();
    }

    @Test
    void nobodyElseLeadsBesideThisProcess() {
        election.grant();
        assertThatIllegalStateException()
                .isThrownBy(() -> election.leaderChanged(other))
                .withMessageContaining("revoke");
        assertThat(election.isLeader()).isTrue();
    }

    @Test
    void aLateListenerIsToldWhoLeads() {
        election.leaderChanged(other);
        election.addListener(log);
        assertThat(log.events()).containsExactly("leader other");
    }

    @Test
    void anEndedElectionIsClosed() {
        election.addListener(log);
        election.grant();
        election.end();
        election.end();
        assertThat(election.role()).isEqualTo(Role.CLOSED);
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 ENDED", "ended");
        assertThatExceptionOfType(ElectionClosedException.class)
                .isThrownBy(election::grant)
                .withMessageContaining("orders")
                .withMessageContaining("deleted");
    }

    @Test
    void inAnEndedElectionNobodyLeads() {
        election.leaderChanged(other);
        election.end();
        assertThat(election.leader()).isEmpty();
        assertThat(election.candidates()).isEmpty();
    }

    @Test
    void whoHasResignedStillSeesTheOtherLeader() {
        election.leaderChanged(other);
        election.resign();
        assertThat(election.leader()).contains(other);
        assertThatExceptionOfType(ElectionClosedException.class).isThrownBy(() -> election.leaderChanged(null));
    }

    @Test
    void endingDoesNotWaitForWork() {
        election.addListener(log);
        election.grant();
        election.runIfLeader(term -> {
            election.end();
            assertThat(log.events()).containsExactly("granted 1", "revoked 1 ENDED", "ended");
        });
    }

    @Test
    void aListenerThatThrowsWhenGrantedLeavesACandidate() {
        election.addListener(new EventLog() {
            @Override
            public void granted(Leadership term) {
                throw new IllegalStateException("on purpose");
            }
        });
        election.addListener(log);
        assertThat(election.grant().isValid()).isFalse();
        assertThat(election.role()).isEqualTo(Role.CANDIDATE);
        assertThat(election.status().error()).isPresent();
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 LISTENER_FAILED");
    }

    @Test
    void nothingIsGrantedWhileTheLastTermDrains() throws Exception {
        election.grant();
        var started = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var work = CompletableFuture.supplyAsync(
                () -> election.runIfLeader(term -> {
                    started.countDown();
                    try {
                        assertThat(release.await(20, TimeUnit.SECONDS)).isTrue();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }),
                BACKGROUND);
        assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
        election.addListener(log);
        var stepDown = CompletableFuture.runAsync(election::stepDown, BACKGROUND);
        log.awaitEvent("revoked 1 STEPPED_DOWN");
        assertThatIllegalStateException().isThrownBy(election::grant).withMessageContaining("orders");
        release.countDown();
        stepDown.get(20, TimeUnit.SECONDS);
        assertThat(work.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(election.grant().term()).isEqualTo(2);
    }

    @Test
    void whoeverLeavesWaitsForTheWorkOfATermThatWasLost() throws Exception {
        election.grant();
        LeaderWork.Permit permit = Objects.requireNonNull(election.admit(WhenRevoked.DRAIN, () -> "test"));
        election.revoke(RevocationReason.CONNECTION_LOST);
        var closing = CompletableFuture.runAsync(election::close, BACKGROUND);
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> closing.get(100, TimeUnit.MILLISECONDS));
        permit.close();
        closing.get(20, TimeUnit.SECONDS);
    }

    @Test
    void aMeterThatFailsKeepsNobodyFromLeaving() {
        var impatient = new TestElection("orders", Duration.ofMillis(1));
        impatient.addMonitor(new ElectionMonitor() {
            @Override
            public void overran() {
                throw new IllegalStateException("on purpose");
            }
        });
        impatient.grant();
        LeaderWork.Permit permit = Objects.requireNonNull(impatient.admit(WhenRevoked.DRAIN, () -> "test"));
        impatient.close();
        assertThat(impatient.role()).isEqualTo(Role.CLOSED);
        permit.close();
    }
}
