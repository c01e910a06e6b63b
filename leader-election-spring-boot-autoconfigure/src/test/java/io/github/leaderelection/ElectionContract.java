package io.github.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.github.leaderelection.support.ManagedElection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link Election} does, whatever it stands on, with this process as the only candidate. */
public abstract class ElectionContract {

    protected static final Duration WAIT = Duration.ofSeconds(20);

    /** Not the common pool: on a small machine one blocked task holds up all others there. */
    public static final Executor BACKGROUND = task -> {
        Thread thread = new Thread(task, "background");
        thread.setDaemon(true);
        thread.start();
    };

    /** Longer than any test waits: whoever waits for its own hand-over is found out. */
    private static final Duration FOR_EVER = Duration.ofMinutes(5);

    private static final Duration SHORT = Duration.ofMillis(150);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Election> opened = new ArrayList<>();
    private final List<CountDownLatch> latches = new CopyOnWriteArrayList<>();

    /** A fresh election in which nobody is nominated. */
    protected abstract Election open(String name, Duration drainTimeout);

    /** Lets a nominated process lead, where it does not do so by itself. */
    protected void grant(Election election) {}

    @AfterEach
    void cleanUp() throws InterruptedException {
        latches.forEach(CountDownLatch::countDown);
        opened.forEach(Election::close);
        threads.shutdownNow();
        assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    private Election open(Duration drainTimeout) {
        Election election = open("orders", drainTimeout);
        opened.add(election);
        return election;
    }

    private Election open() {
        return open(FOR_EVER);
    }

    private Election lead(Duration drainTimeout) throws InterruptedException {
        Election election = open(drainTimeout);
        election.nominate();
        lead(election);
        return election;
    }

    private Election lead() throws InterruptedException {
        return lead(FOR_EVER);
    }

    private void lead(Election election) throws InterruptedException {
        grant(election);
        assertThat(election.awaitLeadership(WAIT)).isTrue();
    }

    private CountDownLatch latch() {
        var latch = new CountDownLatch(1);
        latches.add(latch);
        return latch;
    }

    private static void pass(CountDownLatch latch) {
        try {
            assertThat(latch.await(WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void eventually(Runnable assertion) {
        Awaitility.await()
                .atMost(WAIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(assertion::run);
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(WAIT.toSeconds(), TimeUnit.SECONDS);
    }

    // roles

    @Test
    void aFreshElectionIsOnlyObserved() {
        Election election = open();
        assertThat(election.name()).isEqualTo("orders");
        assertThat(election.path()).endsWith("/orders");
        assertThat(election.role()).isEqualTo(Role.OBSERVER);
        assertThat(election.isLeader()).isFalse();
        assertThat(election.leadership()).isEmpty();
        assertThat(election.status().candidate()).isEmpty();
        assertThat(election.leader()).isEmpty();
        assertThat(election.candidates()).isEmpty();
    }

    @Test
    void theOnlyCandidateLeads() throws Exception {
        Election election = lead();
        assertThat(election.role()).isEqualTo(Role.LEADER);
        assertThat(election.isLeader()).isTrue();
        Leadership term = election.leadership().orElseThrow();
        assertThat(term.isValid()).isTrue();
        assertThat(term.election()).isEqualTo("orders");
        assertThat(term.fencingToken()).isPositive();
        assertThat(term.since()).isBeforeOrEqualTo(Instant.now());
        assertThatCode(term::requireValid).doesNotThrowAnyException();
    }

    @Test
    void theElectorateIsTheOnlyCandidate() throws Exception {
        Election election = lead();
        Candidate self = election.leadership().orElseThrow().candidate();
        assertThat(election.leader()).map(Candidate::sequence).contains(self.sequence());
        assertThat(election.candidates()).extracting(Candidate::id).containsExactly(self.id());
        election.withdraw();
        assertThat(election.leader()).isEmpty();
        assertThat(election.candidates()).isEmpty();
    }

    @Test
    void nominatingAgainChangesNothing() throws Exception {
        Election election = open();
        var log = new EventLog();
        election.addListener(log);
        election.nominate();
        election.nominate();
        lead(election);
        Leadership term = election.leadership().orElseThrow();
        election.nominate();
        assertThat(election.leadership()).containsSame(term);
        assertThat(election.candidates()).hasSize(1);
        election.withdraw();
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 WITHDRAWN");
    }

    @Test
    void whoWithdrewObservesAndMayBeNominatedAgain() throws Exception {
        Election election = lead();
        election.withdraw();
        assertThat(election.role()).isEqualTo(Role.OBSERVER);
        assertThat(election.isLeader()).isFalse();
        election.nominate();
        lead(election);
        assertThat(election.leadership()).map(Leadership::term).contains(2L);
    }

    @Test
    void withdrawingAnObserverChangesNothing() {
        Election election = open();
        election.withdraw();
        assertThat(election.role()).isEqualTo(Role.OBSERVER);
    }

    @Test
    void aStatusIsAPictureOfTheWhole() throws Exception {
        Election election = lead();
        ElectionStatus status = election.status();
        assertThat(status.name()).isEqualTo("orders");
        assertThat(status.path()).isEqualTo(election.path());
        assertThat(status.role()).isEqualTo(Role.LEADER);
        assertThat(status.candidate())
                .contains(election.leadership().orElseThrow().candidate());
        assertThat(status.leadership()).isEqualTo(election.leadership());
        assertThat(status.following()).isEmpty();
        assertThat(status.error()).isEmpty();
    }

    @Test
    void noStatusContradictsItself() throws Exception {
        Election election = lead();
        var done = new AtomicBoolean();
        Future<?> reader = threads.submit(() -> {
            while (!done.get()) {
                ElectionStatus status = election.status();
                assertThat(status.leadership().isPresent()).isEqualTo(status.role() == Role.LEADER);
                assertThat(status.candidate().isPresent() || status.role() != Role.LEADER)
                        .isTrue();
            }
        });
        for (int i = 0; i < 20; i++) {
            election.stepDown();
            lead(election);
        }
        done.set(true);
        get(reader);
    }

    @Test
    void whatACandidateSaysAboutItselfCannotBeChanged() throws Exception {
        Election election = lead();
        Candidate self = election.leader().orElseThrow();
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> self.metadata().put("zone", "b"));
    }

    // waiting for leadership

    @Test
    void waitingForLeadershipEndsWithTheTimeout() throws Exception {
        Election election = open();
        assertThat(election.awaitLeadership(Duration.ofMillis(20))).isFalse();
        assertThat(election.awaitLeadership(Duration.ZERO)).isFalse();
        assertThat(election.awaitLeadership(Duration.ofSeconds(-1))).isFalse();
    }

    @Test
    void aLeaderNeedNotWaitForLeadership() throws Exception {
        Election election = lead();
        assertThat(election.awaitLeadership(Duration.ZERO)).isTrue();
        assertThat(election.awaitLeadership(ChronoUnit.FOREVER.getDuration())).isTrue();
    }

    @Test
    void waitingForLeadershipEndsWhenItIsGranted() throws Exception {
        Election election = open();
        Future<Boolean> waiting = threads.submit(() -> election.awaitLeadership(WAIT));
        election.nominate();
        grant(election);
        assertThat(get(waiting)).isTrue();
    }

    @Test
    void waitingForLeadershipCanBeInterrupted() {
        Election election = open();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> election.awaitLeadership(WAIT));
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void waitingForLeadershipEndsWhenTheElectionIsClosed() throws Exception {
        Election election = open();
        Future<Throwable> waiting = threads.submit(() -> catchThrowable(() -> election.awaitLeadership(WAIT)));
        election.close();
        assertThat(get(waiting)).isInstanceOf(ElectionClosedException.class);
    }

    // terms

    @Test
    void termsAreCountedAndTokensGrow() throws Exception {
        Election election = lead();
        var terms = new ArrayList<Leadership>();
        for (int i = 0; i < 3; i++) {
            terms.add(election.leadership().orElseThrow());
            election.stepDown();
            lead(election);
        }
        assertThat(terms).extracting(Leadership::term).containsExactly(1L, 2L, 3L);
        assertThat(terms).extracting(Leadership::fencingToken).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aTermIsNeverValidAgain() throws Exception {
        Election election = lead();
        Leadership first = election.leadership().orElseThrow();
        election.stepDown();
        assertThat(first.isValid()).isFalse();
        lead(election);
        assertThat(election.leadership().orElseThrow().isValid()).isTrue();
        assertThat(first.isValid()).isFalse();
        assertThatExceptionOfType(NotLeaderException.class)
                .isThrownBy(first::requireValid)
                .withMessageContaining("orders");
    }

    @Test
    void steppingDownTakesALeader() {
        Election election = open();
        assertThatIllegalStateException().isThrownBy(election::stepDown).withMessageContaining("orders");
        assertThat(election.role()).isEqualTo(Role.OBSERVER);
    }

    // leader-only work

    @Test
    void workRunsOnlyWhereThereIsALeader() throws Exception {
        Election election = open();
        var ran = new AtomicReference<Leadership>();
        assertThat(election.runIfLeader(ran::set)).isFalse();
        assertThat(ran).hasNullValue();
        election.nominate();
        lead(election);
        assertThat(election.runIfLeader(ran::set)).isTrue();
        assertThat(ran).hasValue(election.leadership().orElseThrow());
        election.withdraw();
        ran.set(null);
        assertThat(election.runIfLeader(ran::set)).isFalse();
        assertThat(ran).hasNullValue();
    }

    @Test
    void workKnowsTheTermThatAdmittedIt() throws Exception {
        Election election = lead();
        assertThat(Leadership.current()).isEmpty();
        election.runIfLeader(term -> {
            assertThat(Leadership.current()).containsSame(term);
            election.runIfLeader(nested ->
                    assertThat(Leadership.current()).containsSame(nested).containsSame(term));
            assertThat(Leadership.current()).containsSame(term);
        });
        assertThat(Leadership.current()).isEmpty();
    }

    @Test
    void workWithinRunningWorkIsAdmittedWhileThatDrains() throws Exception {
        Election election = lead();
        Leadership term = election.leadership().orElseThrow();
        var started = latch();
        var release = latch();
        Future<Optional<Leadership>> nested = threads.submit(() -> {
            var admitted = new AtomicReference<Optional<Leadership>>();
            election.runIfLeader(outer -> {
                started.countDown();
                pass(release);
                assertThat(election.runIfLeader(inner -> admitted.set(Leadership.current())))
                        .isTrue();
            });
            return admitted.get();
        });
        pass(started);
        Future<?> closing = threads.submit(election::close);
        eventually(() -> assertThat(election.isLeader()).isFalse());
        assertThat(election.runIfLeader(other -> {})).isFalse();
        release.countDown();
        assertThat(get(nested)).containsSame(term);
        get(closing);
    }

    @Test
    void anExceptionOfTheWorkReachesItsCaller() throws Exception {
        Election election = lead();
        var failure = new IllegalArgumentException("no stock");
        assertThat(catchThrowable(() -> election.runIfLeader(term -> {
                    throw failure;
                })))
                .isSameAs(failure);
        assertThat(Leadership.current()).isEmpty();
        assertThat(election.isLeader()).isTrue();
        // Would wait for the work if that still counted.
        get(threads.submit(election::stepDown));
    }

    static Stream<Arguments> departures() {
        return Stream.of(
                departure("stepDown", Election::stepDown, "revoked 1 STEPPED_DOWN"),
                departure("withdraw", Election::withdraw, "revoked 1 WITHDRAWN"),
                departure("resign", Election::resign, "revoked 1 RESIGNED"),
                departure("close", Election::close, "revoked 1 RESIGNED"));
    }

    private static Arguments departure(String name, Consumer<Election> departure, String event) {
        return argumentSet(name, departure, event);
    }

    @ParameterizedTest
    @MethodSource("departures")
    void aHandOverWaitsForRunningWork(Consumer<Election> departure, String event) throws Exception {
        Election election = lead();
        var log = new EventLog();
        election.addListener(log);
        var started = latch();
        var release = latch();
        var finished = new AtomicBoolean();
        Future<Boolean> work = threads.submit(() -> election.runIfLeader(term -> {
            started.countDown();
            pass(release);
            assertThat(term.isValid()).isFalse();
            finished.set(true);
        }));
        pass(started);
        Future<Boolean> finishedBefore = threads.submit(() -> {
            departure.accept(election);
            return finished.get();
        });
        log.awaitEvent(event);
        assertThat(election.isLeader()).isFalse();
        assertThat(finishedBefore.isDone()).isFalse();
        release.countDown();
        assertThat(get(finishedBefore)).isTrue();
        assertThat(get(work)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("departures")
    void workThatOutlastsTheDrainTimeoutIsInterrupted(Consumer<Election> departure, String event) throws Exception {
        Election election = lead(SHORT);
        var started = latch();
        Future<Throwable> work = threads.submit(() -> {
            var interruption = new AtomicReference<Throwable>();
            election.runIfLeader(term -> {
                started.countDown();
                interruption.set(catchThrowable(() -> latch().await()));
            });
            return interruption.get();
        });
        pass(started);
        get(threads.submit(() -> departure.accept(election)));
        assertThat(get(work)).isInstanceOf(InterruptedException.class);
    }

    @ParameterizedTest
    @MethodSource("departures")
    void aHandOverIsCompleteOnlyAfterItsListenersHaveHeardOfIt(Consumer<Election> departure, String event)
            throws Exception {
        Election election = lead();
        var entered = latch();
        var release = latch();
        var log = new EventLog() {
            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                entered.countDown();
                pass(release);
                super.revoked(term, reason);
            }
        };
        election.addListener(log);
        Future<List<String>> heardBefore = threads.submit(() -> {
            departure.accept(election);
            return log.events();
        });
        pass(entered);
        assertThat(election.isLeader()).isFalse();
        assertThat(heardBefore.isDone()).isFalse();
        release.countDown();
        assertThat(get(heardBefore)).startsWith("granted 1", event);
    }

    @Test
    void aListenerDelaysTheHandOverForTheDrainTimeoutAtMost() throws Exception {
        Election election = lead(SHORT);
        var release = latch();
        election.addListener(new ElectionListener() {
            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                pass(release);
            }
        });
        threads.submit(election::stepDown);
        eventually(() -> assertThat(election.leadership().map(Leadership::term)).isNotEqualTo(Optional.of(1L)));
        threads.submit(() -> grantWhenPossible(election));
        eventually(() -> assertThat(election.leadership()).map(Leadership::term).contains(2L));
    }

    @Test
    @Tag("F89")
    void aListenerThatIsBusyAfterTheDrainTimeoutIsInterruptedAndNoTermBeginsBeforeItReturns() throws Exception {
        Election election = open(SHORT);
        var entered = latch();
        var interrupted = latch();
        var release = latch();
        ElectionListener busy = new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                entered.countDown();
                while (release.getCount() > 0) {
                    try {
                        release.await();
                    } catch (InterruptedException overdue) {
                        interrupted.countDown();
                    }
                }
            }
        };
        election.addListener(busy);
        election.nominate();
        threads.submit(() -> grant(election));
        pass(entered);
        get(threads.submit(election::stepDown));
        pass(interrupted);
        threads.submit(() -> grantWhenPossible(election));
        assertThat(election.status().error())
                .hasValueSatisfying(
                        error -> assertThat(error).contains(busy.getClass().getName()));
        assertThat(election.awaitLeadership(SHORT)).isFalse();
        release.countDown();
        assertThat(election.awaitLeadership(WAIT)).isTrue();
        assertThat(election.status().error()).isEmpty();
    }

    private void grantWhenPossible(Election election) {
        eventually(() -> assertThatCode(() -> grant(election)).doesNotThrowAnyException());
    }

    // listeners

    @Test
    void theEndIsToldBeforeAnythingIsForgotten() {
        Election election = open();
        List<String> told = new CopyOnWriteArrayList<>();
        election.addListener(new ElectionListener() {
            @Override
            public void ended(Election ended) {
                told.add("ended");
            }
        });
        ((ManagedElection) election).whenClosed(() -> told.add("closed"));
        election.delete();
        eventually(() -> assertThat(told).containsExactly("ended", "closed"));
    }

    @Test
    @SuppressWarnings("NullAway")
    void noListenerIsNone() {
        Election election = open();
        assertThatNullPointerException().isThrownBy(() -> election.addListener(null));
    }

    @Test
    void grantedAndRevokedAlternate() throws Exception {
        Election election = open();
        var log = new EventLog();
        election.addListener(log);
        election.nominate();
        lead(election);
        election.stepDown();
        lead(election);
        election.withdraw();
        election.nominate();
        lead(election);
        election.resign();
        assertThat(log.events())
                .containsExactly(
                        "granted 1",
                        "revoked 1 STEPPED_DOWN",
                        "granted 2",
                        "revoked 2 WITHDRAWN",
                        "granted 3",
                        "revoked 3 RESIGNED");
    }

    @Test
    void whenAnEventArrivesTheElectionHasAlreadyChanged() throws Exception {
        Election election = open();
        var log = new EventLog() {
            @Override
            public void granted(Leadership term) {
                add("granted: leads " + election.isLeader() + ", valid " + term.isValid());
            }

            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                add("revoked: leads " + election.isLeader() + ", valid " + term.isValid());
            }
        };
        election.addListener(log);
        election.nominate();
        lead(election);
        log.awaitEvent("granted: leads true, valid true");
        election.withdraw();
        assertThat(log.events())
                .containsExactly("granted: leads true, valid true", "revoked: leads false, valid false");
    }

    @Test
    void aLateListenerIsToldThatThisProcessLeads() throws Exception {
        Election election = lead();
        var log = new EventLog();
        election.addListener(log);
        log.awaitEvent("granted 1");
        election.withdraw();
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 WITHDRAWN");
    }

    @Test
    void aListenerThatIsAddedTwiceHearsEverythingOnce() throws Exception {
        Election election = lead();
        var log = new EventLog();
        election.addListener(log);
        election.addListener(log);
        election.withdraw();
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 WITHDRAWN");
    }

    @Test
    void aRemovedListenerHearsNothing() throws Exception {
        Election election = open();
        var removed = new EventLog();
        var log = new EventLog();
        election.addListener(removed);
        election.addListener(log);
        election.removeListener(removed);
        election.nominate();
        lead(election);
        election.withdraw();
        assertThat(log.events()).hasSize(2);
        assertThat(removed.events()).isEmpty();
    }

    @Test
    void aListenerThatThrowsWhenGrantedGivesTheLeadershipUp() {
        Election election = open();
        var log = new EventLog();
        election.addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                if (term.term() == 1) {
                    throw new IllegalStateException("on purpose");
                }
            }
        });
        election.addListener(log);
        election.nominate();
        grant(election);
        log.awaitEvent("revoked 1 LISTENER_FAILED");
        grantWhenPossible(election);
        log.awaitEvent("granted 2");
        assertThat(election.isLeader()).isTrue();
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 LISTENER_FAILED", "granted 2");
    }

    @Test
    void aLateListenerThatThrowsGivesTheLeadershipUpToo() throws Exception {
        Election election = lead();
        var log = new EventLog();
        election.addListener(log);
        election.addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                if (term.term() == 1) {
                    throw new AssertionError("on purpose");
                }
            }
        });
        log.awaitEvent("revoked 1 LISTENER_FAILED");
    }

    @Test
    void aListenerThatThrowsElsewhereHarmsNobody() throws Exception {
        Election election = lead();
        var log = new EventLog();
        election.addListener(new ElectionListener() {
            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("on purpose");
            }
        });
        election.addListener(log);
        election.stepDown();
        lead(election);
        log.awaitEvent("granted 2");
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 STEPPED_DOWN", "granted 2");
    }

    @Test
    void aSlowListenerKeepsNobodyFromAsking() throws Exception {
        Election election = open(SHORT);
        var entered = latch();
        var release = latch();
        election.addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                entered.countDown();
                pass(release);
            }
        });
        election.nominate();
        threads.submit(() -> grant(election));
        pass(entered);
        assertThat(election.isLeader()).isTrue();
        assertThat(election.status().role()).isEqualTo(Role.LEADER);
        assertThat(election.awaitLeadership(Duration.ZERO)).isTrue();
        assertThat(election.runIfLeader(term -> {})).isTrue();
        get(threads.submit(election::withdraw));
        assertThat(election.isLeader()).isFalse();
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                call("stepDown", Election::stepDown, Role.CANDIDATE, Role.LEADER),
                call("withdraw", Election::withdraw, Role.OBSERVER),
                call("resign", Election::resign, Role.CLOSED),
                call("close", Election::close, Role.CLOSED),
                call("delete", Election::delete, Role.CLOSED),
                call("nominate", Election::nominate, Role.LEADER),
                call("runIfLeader", election -> election.runIfLeader(term -> {}), Role.LEADER),
                call("candidates", Election::candidates, Role.LEADER),
                call("withdraw and nominate", ElectionContract::withdrawAndNominate, Role.CANDIDATE, Role.LEADER),
                call("stepDown and close", ElectionContract::stepDownAndClose, Role.CLOSED));
    }

    private static Arguments call(String name, Consumer<Election> call, Role... roles) {
        return argumentSet(name, call, List.of(roles));
    }

    private static void withdrawAndNominate(Election election) {
        election.withdraw();
        election.nominate();
    }

    private static void stepDownAndClose(Election election) {
        election.stepDown();
        election.close();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void whateverAListenerCallsReturns(Consumer<Election> call, List<Role> roles) {
        Election election = open();
        var log = new EventLog() {
            @Override
            public void granted(Leadership term) {
                if (term.term() == 1) {
                    call.accept(election);
                    add("returned");
                }
            }
        };
        election.addListener(log);
        election.nominate();
        threads.submit(() -> grant(election));
        log.awaitEvent("returned");
        eventually(() -> assertThat(election.role()).isIn(roles));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void whateverLeaderOnlyWorkCallsReturns(Consumer<Election> call, List<Role> roles) throws Exception {
        Election election = lead();
        assertThat(get(threads.submit(() -> election.runIfLeader(term -> call.accept(election)))))
                .isTrue();
        eventually(() -> assertThat(election.role()).isIn(roles));
    }

    @Test
    void aListenerMayReactToARevocation() throws Exception {
        Election election = open();
        var log = new EventLog() {
            @Override
            public void revoked(Leadership term, RevocationReason reason) {
                super.revoked(term, reason);
                election.close();
                add("closed");
            }
        };
        election.addListener(log);
        election.nominate();
        lead(election);
        election.stepDown();
        log.awaitEvent("closed");
        assertThat(election.role()).isEqualTo(Role.CLOSED);
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 STEPPED_DOWN", "closed");
    }

    // leaving for good

    @Test
    void aResignedElectionOnlyAnswersQueries() throws Exception {
        Election election = lead();
        Resignation resignation = election.resign();
        assertThat(resignation.outcome()).isEqualTo(Resignation.Outcome.CONFIRMED);
        assertThat(election.role()).isEqualTo(Role.CLOSED);
        assertThat(election.isLeader()).isFalse();
        assertThat(election.leadership()).isEmpty();
        assertThat(election.status().role()).isEqualTo(Role.CLOSED);
        assertThat(election.status().candidate()).isEmpty();
        assertThat(election.leader()).isEmpty();
        assertThat(election.candidates()).isEmpty();
        Stream.<Consumer<Election>>of(
                        Election::nominate,
                        Election::stepDown,
                        Election::withdraw,
                        Election::resign,
                        Election::delete,
                        ElectionContract::awaitLeadership,
                        closed -> closed.addListener(new EventLog()))
                .forEach(call -> assertThatExceptionOfType(ElectionClosedException.class)
                        .isThrownBy(() -> call.accept(election))
                        .withMessageContaining("orders"));
        assertThat(election.runIfLeader(term -> {})).isFalse();
    }

    private static void awaitLeadership(Election election) {
        try {
            election.awaitLeadership(WAIT);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anObserverMayResign() {
        Election election = open();
        assertThat(election.resign().outcome()).isEqualTo(Resignation.Outcome.CONFIRMED);
        assertThat(election.role()).isEqualTo(Role.CLOSED);
    }

    @Test
    void closingAgainChangesNothing() throws Exception {
        Election election = lead();
        var log = new EventLog();
        election.addListener(log);
        election.close();
        election.close();
        assertThat(election.role()).isEqualTo(Role.CLOSED);
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 RESIGNED");
    }

    @Test
    void whoClosesAtTheSameTimeWaitsForTheSameHandOver() throws Exception {
        Election election = lead();
        var started = latch();
        var release = latch();
        var finished = new AtomicBoolean();
        threads.submit(() -> election.runIfLeader(term -> {
            started.countDown();
            pass(release);
            finished.set(true);
        }));
        pass(started);
        var closers = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> {
                            election.close();
                            return finished.get();
                        },
                        threads))
                .limit(3)
                .toList();
        eventually(() -> assertThat(election.role()).isEqualTo(Role.CLOSED));
        release.countDown();
        for (Future<Boolean> closer : closers) {
            assertThat(get(closer)).isTrue();
        }
    }

    @Test
    void aDeletedElectionHasEnded() throws Exception {
        Election election = lead();
        Leadership term = election.leadership().orElseThrow();
        var log = new EventLog();
        election.addListener(log);
        election.delete();
        assertThat(term.isValid()).isFalse();
        assertThat(election.role()).isEqualTo(Role.CLOSED);
        assertThat(election.candidates()).isEmpty();
        log.awaitEvent("ended");
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 ENDED", "ended");
        assertThatExceptionOfType(ElectionClosedException.class)
                .isThrownBy(election::nominate)
                .withMessageContaining("orders");
    }

    @Test
    void deletingAgainIsASuccess() throws Exception {
        Election election = lead();
        var log = new EventLog();
        election.addListener(log);
        election.delete();
        election.delete();
        log.awaitEvent("ended");
        assertThat(log.events()).containsExactly("granted 1", "revoked 1 ENDED", "ended");
    }

    static Stream<Arguments> endings() {
        return Stream.of(
                argumentSet("closed", (Consumer<Election>) Election::close),
                argumentSet("deleted", (Consumer<Election>) Election::delete));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void whatIsClosedStaysClosedWhenAllIsLeft(Consumer<Election> ending) throws Exception {
        Election election = lead();
        ending.accept(election);
        get(((ManagedElection) election).withdraw(RevocationReason.SHUTDOWN));
        assertThat(election.role()).isEqualTo(Role.CLOSED);
        assertThatExceptionOfType(ElectionClosedException.class).isThrownBy(election::nominate);
    }
}
