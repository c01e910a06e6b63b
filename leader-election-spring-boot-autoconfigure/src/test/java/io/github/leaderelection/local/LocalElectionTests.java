package io.github.leaderelection.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionClosedException;
import io.github.leaderelection.ElectionContract;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.support.ManagedElection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalElectionTests extends ElectionContract {

    private final List<LocalElections> opened = new ArrayList<>();
    private final CountDownLatch release = new CountDownLatch(1);

    @Override
    protected Election open(String name, Duration drainTimeout) {
        return elections(drainTimeout).election(name, "/elections/" + name);
    }

    private LocalElections elections(Duration drainTimeout) {
        var elections = LocalElections.create("shop@host:8080", Map.of("zone", "a"), drainTimeout);
        opened.add(elections);
        return elections;
    }

    private LocalElections elections() {
        return elections(Duration.ofMinutes(5));
    }

    private static Election lead(LocalElections elections, String name) {
        Election election = elections.election(name, "/elections/" + name);
        election.nominate();
        assertThat(election.isLeader()).isTrue();
        return election;
    }

    /** Keeps leader-only work running until the test releases it. */
    private CompletableFuture<Boolean> keepBusy(Election election) throws InterruptedException {
        var started = new CountDownLatch(1);
        var done = CompletableFuture.supplyAsync(
                () -> election.runIfLeader(term -> {
                    started.countDown();
                    awaitRelease();
                }),
                BACKGROUND);
        assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
        return done;
    }

    private void awaitRelease() {
        try {
            assertThat(release.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void closeAll() {
        release.countDown();
        opened.forEach(LocalElections::close);
    }

    @Test
    void whoIsNominatedLeadsAtOnceAndAgainAfterSteppingDown() {
        Election election = lead(elections(), "orders");
        Leadership first = election.leadership().orElseThrow();
        election.stepDown();
        assertThat(election.leadership()).hasValueSatisfying(second -> {
            assertThat(second.term()).isEqualTo(2);
            assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
        });
    }

    @Test
    void theCandidateIsTheOneTheElectionsWereMadeFor() {
        Election election = lead(elections(), "orders");
        assertThat(election.leader()).hasValueSatisfying(candidate -> {
            assertThat(candidate.id()).isEqualTo("shop@host:8080");
            assertThat(candidate.metadata()).containsExactly(Map.entry("zone", "a"));
        });
    }

    @Test
    void anOpenElectionIsGivenOutAgain() {
        LocalElections elections = elections();
        Election orders = elections.election("orders", "/elections/orders");
        assertThat(elections.election("orders", "/elections/orders")).isSameAs(orders);
        assertThat(elections.election("invoices", "/elections/invoices")).isNotSameAs(orders);
        orders.withdraw();
        assertThat(elections.election("orders", "/elections/orders")).isSameAs(orders);
    }

    @Test
    void anOpenElectionHasOnePath() {
        LocalElections elections = elections();
        Election orders = elections.election("orders", "/elections/orders");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> elections.election("orders", "/other"))
                .withMessageContaining("orders")
                .withMessageContaining("/elections/orders")
                .withMessageContaining("/other");
        orders.close();
        assertThat(elections.election("orders", "/other").path()).isEqualTo("/other");
    }

    @Test
    void afterAnElectionWasClosedThereIsANewOne() {
        LocalElections elections = elections();
        Election first = lead(elections, "orders");
        long token = first.leadership().orElseThrow().fencingToken();
        first.resign();
        Election second = lead(elections, "orders");
        assertThat(second).isNotSameAs(first);
        assertThat(second.leadership()).hasValueSatisfying(term -> {
            assertThat(term.term()).isOne();
            assertThat(term.fencingToken()).isGreaterThan(token);
        });
        second.delete();
        assertThat(lead(elections, "orders")).isNotSameAs(second);
        assertThat(first.role()).isEqualTo(Role.CLOSED);
    }

    @Test
    void aNewElectionIsNotLedBeforeTheOldOneHasDrained() throws Exception {
        LocalElections elections = elections();
        Election first = lead(elections, "orders");
        CompletableFuture<Boolean> work = keepBusy(first);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(first::close, BACKGROUND);
        await().until(() -> first.role() == Role.CLOSED);
        Election second = elections.election("orders", "/elections/orders");
        second.nominate();
        assertThat(second.role()).isEqualTo(Role.CANDIDATE);
        release.countDown();
        assertThat(second.awaitLeadership(WAIT)).isTrue();
        assertThat(work.get(20, TimeUnit.SECONDS)).isTrue();
        closing.get(20, TimeUnit.SECONDS);
    }

    /** The end is heard on a thread of the listeners, which goes on while the caller of close() does. */
    @Test
    void anElectionThatWasClosedHasMadeRoom() {
        LocalElections elections = elections();
        for (int round = 0; round < 500; round++) {
            Election orders = lead(elections, "orders");
            orders.addListener(new ElectionListener() {});
            orders.close();
        }
    }

    @Test
    void closingWaitsForNobodyWhoWantsToKnowOfIt() {
        Election orders = lead(elections(), "orders");
        orders.addListener(new ElectionListener() {});
        assertClosesBeforeItIsTold(orders);
    }

    @Test
    void norDoesThatOfOneThatHasNeverLed() {
        assertClosesBeforeItIsTold(elections().election("orders", "/elections/orders"));
    }

    private void assertClosesBeforeItIsTold(Election election) {
        var told = new CountDownLatch(1);
        ((ManagedElection) election).whenClosed(() -> {
            awaitRelease();
            told.countDown();
        });
        election.close();
        assertThat(told.getCount()).isOne();
        release.countDown();
        await().until(() -> told.getCount() == 0);
    }

    @Test
    void whoeverIsWaitedForMayCloseAllThoughAnotherHasTakenItsName() {
        LocalElections elections = elections();
        Election first = lead(elections, "orders");
        assertThat(first.runIfLeader(term -> {
                    first.close();
                    elections.election("orders", "/elections/orders").nominate();
                    elections.close();
                }))
                .isTrue();
    }

    @Test
    void oneThatWasClosedBeforeItsTurnDoesNotLetTheNextPassByTheFirst() throws Exception {
        LocalElections elections = elections();
        Election first = lead(elections, "orders");
        CompletableFuture<Boolean> work = keepBusy(first);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(first::close, BACKGROUND);
        await().until(() -> first.role() == Role.CLOSED);
        elections.election("orders", "/elections/orders").close();
        Election third = elections.election("orders", "/elections/orders");
        third.nominate();
        assertThat(third.role()).isEqualTo(Role.CANDIDATE);
        CompletableFuture<Void> closingAll = CompletableFuture.runAsync(elections::close, BACKGROUND);
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> closingAll.get(100, TimeUnit.MILLISECONDS));
        release.countDown();
        closingAll.get(20, TimeUnit.SECONDS);
        closing.get(20, TimeUnit.SECONDS);
        assertThat(work.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void tokensGrowAcrossElections() {
        LocalElections elections = elections();
        List<Long> tokens = new ArrayList<>();
        for (String name : List.of("c", "a", "b")) {
            tokens.add(lead(elections, name).leadership().orElseThrow().fencingToken());
        }
        tokens.add(lead(elections(), "a").leadership().orElseThrow().fencingToken());
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aTermCannotGuardATransaction() {
        Leadership term = lead(elections(), "orders").leadership().orElseThrow();
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(term::guard)
                .withMessageContaining("orders")
                .withMessageContaining("fencingToken()");
    }

    @Test
    void aListenerThatKeepsFailingIsAskedAgainAfterAPause() {
        Election election = open("orders", Duration.ofMinutes(5));
        var log = new EventLog() {
            @Override
            public void granted(Leadership term) {
                super.granted(term);
                if (term.term() < 3) {
                    throw new IllegalStateException("on purpose");
                }
            }
        };
        election.addListener(log);
        election.nominate();
        log.awaitEvent("revoked 1 LISTENER_FAILED");
        await().until(() -> election.status().error().isPresent());
        log.awaitEvent("granted 3");
        assertThat(election.status().error()).isEmpty();
        assertThat(log.events())
                .containsExactly(
                        "granted 1",
                        "revoked 1 LISTENER_FAILED",
                        "granted 2",
                        "revoked 2 LISTENER_FAILED",
                        "granted 3");
    }

    @Test
    void whoWithdrawsDuringThePauseDoesNotLead() throws Exception {
        Election election = open("orders", Duration.ofMinutes(5));
        election.addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                throw new IllegalStateException("on purpose");
            }
        });
        election.nominate();
        await().until(() -> election.status().error().isPresent());
        election.withdraw();
        assertThat(election.awaitLeadership(Duration.ofMillis(400))).isFalse();
        assertThat(election.role()).isEqualTo(Role.OBSERVER);
    }

    @Test
    void anObserverLearnsThatTheElectionWasDeleted() {
        Election election = open("orders", Duration.ofMinutes(5));
        var log = new EventLog();
        election.addListener(log);
        election.delete();
        log.awaitEvent("ended");
        assertThat(election.role()).isEqualTo(Role.CLOSED);
        assertThat(log.events()).containsExactly("ended");
    }

    @Test
    void closingShutsAllElectionsDown() {
        LocalElections elections = elections();
        var log = new EventLog();
        for (String name : List.of("orders", "invoices")) {
            lead(elections, name).addListener(log);
        }
        Election observed = elections.election("observed", "/elections/observed");
        elections.close();
        elections.close();
        assertThat(observed.role()).isEqualTo(Role.CLOSED);
        assertThat(log.events())
                .containsExactlyInAnyOrder("granted 1", "granted 1", "revoked 1 SHUTDOWN", "revoked 1 SHUTDOWN");
        assertThatExceptionOfType(ElectionClosedException.class)
                .isThrownBy(() -> elections.election("orders", "/elections/orders"))
                .withMessageContaining("orders");
    }

    @Test
    void closingRevokesAllBeforeItWaitsForAny() throws Exception {
        LocalElections elections = elections();
        Election orders = lead(elections, "orders");
        Election invoices = lead(elections, "invoices");
        var works = List.of(keepBusy(orders), keepBusy(invoices));
        CompletableFuture<Void> closing = CompletableFuture.runAsync(elections::close, BACKGROUND);
        await().until(() -> !orders.isLeader() && !invoices.isLeader());
        assertThat(closing).isNotDone();
        release.countDown();
        closing.get(20, TimeUnit.SECONDS);
        for (CompletableFuture<Boolean> work : works) {
            assertThat(work.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aListenerMayCloseAllElections() {
        LocalElections elections = elections();
        Election orders = lead(elections, "orders");
        Election invoices = lead(elections, "invoices");
        var log = new EventLog() {
            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                elections.close();
                add("returned");
            }
        };
        orders.addListener(log);
        orders.withdraw();
        log.awaitEvent("returned");
        await().until(() -> invoices.role() == Role.CLOSED);
    }

    @Test
    void closingEndsAllThreads() {
        LocalElections elections = elections();
        Election election = lead(elections, "orders");
        var thread = new CompletableFuture<Thread>();
        election.addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                thread.complete(Thread.currentThread());
            }
        });
        assertThat(thread.join().getName()).startsWith("election-local-");
        assertThat(thread.join().isDaemon()).isTrue();
        elections.close();
        await().until(() -> !thread.join().isAlive());
    }

    @Test
    void aDrainTimeoutIsNotNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LocalElections.create("shop", Map.of(), Duration.ofSeconds(-1)))
                .withMessageContaining("PT-1S");
        try (var elections = LocalElections.create("shop", Map.of())) {
            assertThat(lead(elections, "orders").isLeader()).isTrue();
        }
    }

    @Test
    void aLateListenerOfAnObservedElectionIsToldWhoLeads() {
        Election election = elections().election("orders", "/elections/orders", true);
        election.nominate();
        var log = new EventLog();

        election.addListener(log);

        await().untilAsserted(() -> assertThat(log.events()).hasSize(2));
        assertThat(log.events().get(0)).startsWith("granted");
        assertThat(log.events().get(1)).contains("shop@host:8080");
    }

    /** The work may well be running there. */
    @Test
    void theTimeToDrainEndsWithoutAThreadOfTheCommonPool() {
        ManagedElection election = (ManagedElection) lead(elections(Duration.ofMillis(100)), "orders");
        var permit = election.admit(LeaderOnly.WhenRevoked.DRAIN, () -> "test");
        var thread = new CompletableFuture<String>();
        permit.whenOverdue(() -> thread.complete(Thread.currentThread().getName()));

        var closing = CompletableFuture.runAsync(election::close, BACKGROUND);

        assertThat(thread.join()).isEqualTo("election-later");
        closing.join();
        permit.close();
    }
}
