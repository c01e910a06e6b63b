package io.github.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.leaderelection.LeaderOnly.WhenRevoked;
import io.github.leaderelection.LeaderWork.Permit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.zookeeper.Op;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LeaderWorkTests {

    private final LeaderWork work = new LeaderWork();
    private final AtomicBoolean valid = new AtomicBoolean(true);
    private final Leadership term = term(1, valid::get);
    private final Leadership next = term(2, () -> true);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    /** By hand: a mock that is asked by several threads is slow, and remembers every call. */
    private static Leadership term(long number, BooleanSupplier valid) {
        return new Leadership() {
            @Override
            public String election() {
                return "orders";
            }

            @Override
            public Candidate candidate() {
                return new Candidate("shop", Map.of(), 0, fencingToken(), since());
            }

            @Override
            public long fencingToken() {
                return 42;
            }

            @Override
            public long term() {
                return number;
            }

            @Override
            public Instant since() {
                return Instant.EPOCH;
            }

            @Override
            public boolean isValid() {
                return valid.getAsBoolean();
            }

            @Override
            public Op guard() {
                throw new UnsupportedOperationException();
            }
        };
    }

    private Permit admit(Leadership term) {
        return admit(term, WhenRevoked.DRAIN);
    }

    private Permit admit(Leadership term, WhenRevoked whenRevoked) {
        return work.admit(term, whenRevoked, whenRevoked::name);
    }

    private boolean isIdle() {
        var idle = new AtomicBoolean();
        work.whenIdle(1, () -> idle.set(true));
        return idle.get();
    }

    @Test
    void aTermThatIsOverAdmitsNothing() {
        valid.set(false);
        assertThat(admit(term)).isNull();
        assertThat(work.run(term, admitted -> assertThat(admitted).isNull())).isFalse();
        assertThat(isIdle()).isTrue();
    }

    @Test
    void anAdmittedCallRunsUntilItsPermitIsClosed() throws Exception {
        Permit permit = admit(term);
        assertThat(permit.term()).isSameAs(term);
        valid.set(false);
        assertThat(isIdle()).isFalse();
        permit.run(() -> {});
        assertThat(isIdle()).isFalse();
        threads.submit(permit::close).get();
        assertThat(isIdle()).isTrue();
    }

    @Test
    void idlenessIsAnnouncedOnceByWhoEndsLast() {
        Permit first = admit(term);
        Permit second = admit(term);
        valid.set(false);
        var announcements = new AtomicInteger();
        work.whenIdle(1, announcements::incrementAndGet);
        first.close();
        first.close();
        assertThat(announcements).hasValue(0);
        second.close();
        assertThat(announcements).hasValue(1);
        work.run(next, admitted -> {});
        assertThat(announcements).hasValue(1);
    }

    @Test
    void allWhoWaitAreTold() {
        Permit permit = admit(term);
        valid.set(false);
        var announcements = new AtomicInteger();
        work.whenIdle(1, announcements::incrementAndGet);
        work.whenIdle(1, announcements::incrementAndGet);
        permit.close();
        assertThat(announcements).hasValue(2);
    }

    @Test
    void theNextTermsWorkIsNeitherWaitedForNorInterrupted() {
        Permit earlier = admit(term);
        valid.set(false);
        Permit later = admit(next, WhenRevoked.INTERRUPT);
        var told = new AtomicInteger();
        later.whenOverdue(told::incrementAndGet);
        var idle = new AtomicBoolean();
        work.whenIdle(1, () -> idle.set(true));

        work.revoke(1, true);
        earlier.close();

        assertThat(idle).isTrue();
        assertThat(work.expire(1)).isEmpty();
        assertThat(told).hasValue(0);
        later.close();
    }

    @Test
    void whoeverWaitsForOneTermDoesNotHearOfAnother() {
        Permit earlier = admit(term);
        valid.set(false);
        var first = new AtomicInteger();
        work.whenIdle(1, first::incrementAndGet);
        Permit later = admit(next);
        var second = new AtomicInteger();
        work.whenIdle(2, second::incrementAndGet);

        earlier.close();
        earlier.close();

        assertThat(first).hasValue(1);
        assertThat(second).hasValue(0);
        later.close();
        assertThat(second).hasValue(1);
    }

    @Test
    void theDeadlineOfOneTermIsNotThatOfTheNextWhichIsOverAsWell() {
        Permit earlier = admit(term);
        var stillValid = new AtomicBoolean(true);
        Permit later = admit(term(2, stillValid::get));
        var told = new AtomicInteger();
        later.whenOverdue(told::incrementAndGet);
        valid.set(false);
        stillValid.set(false);
        var idle = new AtomicBoolean();
        work.whenIdle(2, () -> idle.set(true));

        assertThat(work.expire(1)).hasSize(1);

        earlier.close();
        assertThat(told).hasValue(0);
        assertThat(idle).isFalse();
        later.close();
        assertThat(idle).isTrue();
    }

    @Test
    void whoWaitsOnlyForWorkThatNobodyWaitsForAnyMoreIsTold() {
        Permit stubborn = admit(term);
        valid.set(false);
        var idle = new AtomicBoolean();
        work.whenIdle(2, () -> idle.set(true));

        work.expire(1);

        assertThat(idle).isTrue();
        stubborn.close();
    }

    @Test
    void nobodyWaitsForWorkThatWasToldThatItsTimeIsOver() {
        Permit stubborn = admit(term);
        valid.set(false);
        assertThat(isIdle()).isFalse();
        work.expire(1);
        assertThat(isIdle()).isTrue();
        stubborn.close();
    }

    @Test
    void whatFailsWhenItIsToldKeepsNobodyElseFromBeingTold() {
        var told = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            Permit permit = admit(term, WhenRevoked.INTERRUPT);
            permit.whenOverdue(() -> {
                told.incrementAndGet();
                throw new RejectedExecutionException("on purpose");
            });
        }
        valid.set(false);
        work.revoke(1, true);
        assertThat(told).hasValue(3);
        assertThat(work.expire(1)).hasSize(3);
    }

    @Test
    void aRefusedCallDoesNotHideARunningOne() {
        Permit running = admit(term);
        valid.set(false);
        var idle = new AtomicBoolean();
        work.whenIdle(1, () -> idle.set(true));
        assertThat(admit(term)).isNull();
        assertThat(idle).isFalse();
        running.close();
        assertThat(idle).isTrue();
    }

    @Test
    void callsThatComeAndGoDoNotHideARunningOne() throws Exception {
        Permit running = admit(term);
        valid.set(false);
        var idle = new AtomicBoolean();
        work.whenIdle(1, () -> idle.set(true));
        var start = new CyclicBarrier(8);
        var guests = IntStream.range(0, 8)
                .mapToObj(guest -> threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < 20_000; i++) {
                        admit(next).close();
                    }
                    return guest;
                }))
                .toList();
        for (Future<Integer> guest : guests) {
            guest.get();
        }
        assertThat(idle).isFalse();
        running.close();
        assertThat(idle).isTrue();
    }

    /** Otherwise the term could end, and its work be found drained, between the two. */
    @Test
    void aCallCountsBeforeItsTermIsAsked() {
        var idleWhenAsked = new AtomicBoolean(true);
        var asked = new AtomicBoolean();
        Leadership asking = term(1, () -> {
            if (asked.getAndSet(true)) {
                return false;
            }
            idleWhenAsked.set(isIdle());
            return true;
        });
        assertThat(work.run(asking, admitted -> {})).isTrue();
        assertThat(idleWhenAsked).isFalse();
    }

    @Test
    void theTermIsKnownOnTheThreadOfTheWorkOnly() throws Exception {
        work.run(term, admitted -> {
            assertThat(Leadership.current()).containsSame(term);
            assertThat(CompletableFuture.supplyAsync(Leadership::current, threads)
                            .join())
                    .isEmpty();
        });
        assertThat(Leadership.current()).isEmpty();
    }

    @Test
    void ofNestedCallsTheInnermostTellsTheTerm() {
        var others = new LeaderWork();
        Leadership other = term(1, () -> true);
        work.run(term, outer -> {
            others.run(other, inner -> {
                assertThat(Leadership.current()).containsSame(other);
                assertThat(work.runsHere()).isTrue();
                assertThat(others.runsHere()).isTrue();
            });
            assertThat(Leadership.current()).containsSame(term);
            assertThat(others.runsHere()).isFalse();
        });
        assertThat(work.runsHere()).isFalse();
    }

    @Test
    void anExceptionLeavesNothingBehind() {
        assertThatIllegalStateException()
                .isThrownBy(() -> work.run(term, admitted -> {
                    throw new IllegalStateException("on purpose");
                }));
        assertThat(Leadership.current()).isEmpty();
        assertThat(work.runsHere()).isFalse();
        valid.set(false);
        assertThat(isIdle()).isTrue();
    }

    @Test
    void workIsInterruptedAndItsThreadStaysUsable() throws Exception {
        var started = new CountDownLatch(1);
        Future<Boolean> interruptedAfterwards = threads.submit(() -> {
            work.run(term, admitted -> {
                started.countDown();
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            });
            return Thread.currentThread().isInterrupted();
        });
        started.await();
        valid.set(false);
        assertThat(work.expire(1)).hasSize(1);
        assertThat(interruptedAfterwards.get(20, TimeUnit.SECONDS)).isFalse();
        assertThat(work.expire(1)).isEmpty();
    }

    @Test
    void theInterruptOfANestedCallReachesTheOneAroundIt() {
        work.run(term, outer -> {
            work.run(term, inner -> {
                valid.set(false);
                assertThat(work.expire(1)).hasSize(2);
            });
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void workThatBeginsWhenItsTimeIsOverIsInterruptedAtOnce() {
        Permit late = admit(term);
        valid.set(false);
        assertThat(work.expire(1)).hasSize(1);
        late.run(() -> assertThat(Thread.currentThread().isInterrupted()).isTrue());
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        late.close();
    }

    @Test
    void anInterruptThatWasNotOursStays() {
        work.run(term, admitted -> Thread.currentThread().interrupt());
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void workWithoutAThreadIsToldOnceThatItsTimeIsOver() {
        var told = new AtomicInteger();
        Permit permit = admit(term);
        permit.whenOverdue(told::incrementAndGet);
        assertThat(told).hasValue(0);
        valid.set(false);
        work.expire(1);
        work.expire(1);
        assertThat(told).hasValue(1);
        permit.close();
    }

    @Test
    void workWhoseTimeIsOverAlreadyIsToldAtOnce() {
        var told = new AtomicInteger();
        Permit permit = admit(term, WhenRevoked.INTERRUPT);
        valid.set(false);
        work.revoke(1, true);
        permit.whenOverdue(told::incrementAndGet);
        assertThat(told).hasValue(1);
        permit.close();
    }

    @Test
    void aHandOverStopsOnlyTheWorkThatAskedForIt() {
        assertThat(stoppedBy(false)).containsExactly(WhenRevoked.INTERRUPT);
    }

    @Test
    @Tag("F88")
    void aLossStopsAllWorkThatNeedNotFinish() {
        assertThat(stoppedBy(true)).containsExactly(WhenRevoked.DRAIN, WhenRevoked.INTERRUPT);
    }

    private List<WhenRevoked> stoppedBy(boolean loss) {
        List<WhenRevoked> stopped = new ArrayList<>();
        List<Permit> permits = Stream.of(WhenRevoked.values())
                .map(whenRevoked -> {
                    Permit permit = admit(term, whenRevoked);
                    permit.whenOverdue(() -> stopped.add(whenRevoked));
                    return permit;
                })
                .toList();
        valid.set(false);
        work.revoke(1, loss);
        permits.forEach(Permit::close);
        return stopped.stream().sorted().toList();
    }

    @Test
    void workThatIsToFinishIsNamedButNotInterruptedWhenTheTimeIsOver() {
        var told = new AtomicInteger();
        Permit permit = admit(term, WhenRevoked.FINISH);
        permit.whenOverdue(told::incrementAndGet);
        valid.set(false);
        assertThat(work.expire(1)).containsExactly("FINISH");
        assertThat(told).hasValue(0);
        assertThat(isIdle()).isTrue();
        permit.close();
    }

    @Test
    void aCallWithinARunningOneBelongsToItEvenAfterTheTerm() {
        work.run(term, outer -> {
            valid.set(false);
            assertThat(work.run(next, inner -> {
                        assertThat(inner).isSameAs(term);
                        assertThat(Leadership.current()).containsSame(term);
                    }))
                    .isTrue();
            assertThat(work.run(null, inner -> assertThat(inner).isSameAs(term)))
                    .isTrue();
        });
        assertThat(work.run(term, late -> {})).isFalse();
        assertThat(isIdle()).isTrue();
    }

    @Test
    void aCallOnAnotherThreadIsNotWithin() {
        work.run(term, outer -> {
            valid.set(false);
            assertThat(CompletableFuture.supplyAsync(() -> work.run(term, inner -> {}), threads)
                            .join())
                    .isFalse();
        });
    }

    @Test
    void aCallWithinOneOfAnotherElectionIsNotWithin() {
        var others = new LeaderWork();
        work.run(term, outer -> assertThat(others.run(null, inner -> {})).isFalse());
    }

    @Test
    void nestedWorkWithoutAThreadIsWaitedForAsWell() {
        Permit outer = admit(term);
        Permit[] nested = new Permit[1];
        valid.set(false);
        outer.run(() -> nested[0] = admit(null));
        outer.close();
        assertThat(isIdle()).isFalse();
        nested[0].close();
        assertThat(isIdle()).isTrue();
    }

    @Test
    void nestedWorkIsNotWaitedForIfTheWorkAroundItIsNot() {
        Permit outer = admit(term);
        valid.set(false);
        work.expire(1);
        outer.run(() -> {
            Thread.interrupted();
            assertThat(admit(null)).isNotNull();
            assertThat(isIdle()).isTrue();
        });
        outer.close();
    }
}
