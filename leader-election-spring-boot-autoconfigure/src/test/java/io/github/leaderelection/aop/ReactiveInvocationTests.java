package io.github.leaderelection.aop;

import static io.github.leaderelection.ElectionContract.BACKGROUND;
import static io.github.leaderelection.aop.LeaderOnlyApplication.orders;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.LeaderOnly.Otherwise;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.test.TestElection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Calls with a reactive result are guarded when they are subscribed to; each subscription is a call. */
class ReactiveInvocationTests {

    private static void run(Consumer<AssertableApplicationContext> test) {
        LeaderOnlyApplication.application(Reactive.class).run(test::accept);
    }

    /** Steps down in the background. */
    private static CompletableFuture<Void> stepDown(TestElection election) {
        CompletableFuture<Void> steppedDown = CompletableFuture.runAsync(election::stepDown, BACKGROUND);
        await().until(() -> !election.isLeader());
        return steppedDown;
    }

    @Test
    void doesNotRunBeforeSubscription() {
        run(context -> {
            Reactive bean = context.getBean(Reactive.class);
            orders(context).grant();
            Mono<String> mono = bean.mono();
            assertThat(bean.calls()).isZero();
            assertThat(mono.block()).isEqualTo("done");
            assertThat(bean.calls()).isOne();
        });
    }

    @Test
    void leadershipIsCheckedOnEachSubscription() {
        run(context -> {
            Reactive bean = context.getBean(Reactive.class);
            Mono<String> mono = bean.mono();
            Flux<Integer> flux = bean.flux();
            assertThat(mono.block()).isNull();
            assertThat(flux.collectList().block()).isEmpty();

            orders(context).grant();
            assertThat(mono.block()).isEqualTo("done");
            assertThat(mono.block()).isEqualTo("done");
            assertThat(flux.collectList().block()).containsExactly(1, 2, 3);
            assertThat(bean.calls()).isEqualTo(3);

            orders(context).revoke(RevocationReason.CONNECTION_LOST);
            assertThat(mono.block()).isNull();
            assertThat(bean.calls()).isEqualTo(3);
        });
    }

    @Test
    void rejectedSubscriptionFails() {
        run(context -> {
            Mono<String> mono = context.getBean(Reactive.class).throwing();
            assertThatExceptionOfType(NotLeaderException.class).isThrownBy(mono::block);
            orders(context).grant();
            assertThat(mono.block()).isEqualTo("done");
        });
    }

    @Test
    void supportsOtherReactiveTypes() {
        run(context -> {
            Reactive bean = context.getBean(Reactive.class);
            Publisher<String> publisher = bean.publisher();
            Flow.Publisher<String> flow = bean.flow();
            assertThat(Flux.from(publisher).collectList().block()).isEmpty();
            assertThat(JdkFlowAdapter.flowPublisherToFlux(flow).collectList().block())
                    .isEmpty();
            orders(context).grant();
            assertThat(Flux.from(publisher).collectList().block()).containsExactly("done");
            assertThat(JdkFlowAdapter.flowPublisherToFlux(flow).collectList().block())
                    .containsExactly("done");
        });
    }

    @Test
    void keepsContextOfSubscriber() {
        run(context -> {
            orders(context).grant();
            Mono<String> mono = context.getBean(Reactive.class).fromContext();
            assertThat(mono.contextWrite(more -> more.put("tenant", "acme")).block())
                    .isEqualTo("acme");
        });
    }

    @Test
    void termIsAvailableDuringCall() {
        run(context -> {
            Leadership term = orders(context).grant();
            assertThat(context.getBean(Reactive.class).term().block()).isSameAs(term);
            assertThat(Leadership.current()).isEmpty();
        });
    }

    @Test
    void handOverWaitsForPendingSubscription() {
        run(context -> {
            Reactive bean = context.getBean(Reactive.class);
            TestElection orders = orders(context);
            orders.grant();
            CompletableFuture<String> result = bean.pending().toFuture();
            CompletableFuture<Void> steppedDown = stepDown(orders);
            assertThat(steppedDown).isNotDone();
            assertThat(bean.mono().block()).isNull();

            bean.sink().tryEmitValue("late");
            await().until(steppedDown::isDone);
            assertThat(result).isCompletedWithValue("late");
        });
    }

    @Test
    void errorCompletesCall() {
        run(context -> {
            Reactive bean = context.getBean(Reactive.class);
            orders(context).grant();
            CompletableFuture<String> result = bean.pending().toFuture();
            bean.sink().tryEmitError(new IllegalStateException("broken"));
            assertThat(result).isCompletedExceptionally();
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> bean.throwsItself().block());
            assertNothingRuns(orders(context));
        });
    }

    @Test
    void cancellationCompletesCall() {
        run(context -> {
            Reactive bean = context.getBean(Reactive.class);
            orders(context).grant();
            Disposable mono = bean.pending().subscribe();
            Disposable flux = bean.never().subscribe();
            mono.dispose();
            flux.dispose();
            assertThat(bean.never().take(0).collectList().block()).isEmpty();
            assertNothingRuns(orders(context));
        });
    }

    @Test
    void drainTimeoutCancelsSubscriptionWithError() {
        LeaderOnlyApplication.withElections(Reactive.class)
                .withBean(
                        "ordersElection", TestElection.class, () -> new TestElection("orders", Duration.ofMillis(100)))
                .run(context -> {
                    Reactive bean = context.getBean(Reactive.class);
                    orders(context).grant();
                    CompletableFuture<String> mono = bean.pending().toFuture();
                    CompletableFuture<List<String>> flux =
                            bean.never().collectList().toFuture();
                    assertThat(mono).isNotDone();
                    orders(context).stepDown();
                    assertCancelled(mono);
                    assertCancelled(flux);
                    await().until(() -> bean.cancelled() == 2);
                    orders(context).grant();
                    assertNothingRuns(orders(context));
                });
    }

    @Test
    @Tag("F88")
    void lossCancelsSubscriptionAtOnceUnlessItIsToFinish() {
        run(context -> {
            Reactive bean = context.getBean(Reactive.class);
            orders(context).grant();
            CompletableFuture<String> drained = bean.pending().toFuture();
            CompletableFuture<String> finished = bean.finished().toFuture();
            orders(context).revoke(RevocationReason.CONNECTION_LOST);
            assertCancelled(drained);
            assertThat(finished).isNotDone();
            bean.sink().tryEmitValue("late");
            assertThat(finished).isCompletedWithValue("late");
        });
    }

    @Test
    void handOverCancelsSubscriptionAtOnceIfItAsksForThat() {
        run(context -> {
            Reactive bean = context.getBean(Reactive.class);
            orders(context).grant();
            CompletableFuture<String> drained = bean.pending().toFuture();
            CompletableFuture<String> impatient = bean.impatient().toFuture();
            CompletableFuture<Boolean> withdrawn = orders(context).withdraw(RevocationReason.WITHDRAWN);
            assertCancelled(impatient);
            assertThat(drained).isNotDone();
            bean.sink().tryEmitValue("late");
            assertThat(drained).isCompletedWithValue("late");
            await().until(withdrawn::isDone);
        });
    }

    private static void assertCancelled(CompletableFuture<?> result) {
        await().until(result::isDone);
        assertThat(result)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(NotLeaderException.class)
                .withMessageContaining("'orders'");
    }

    /** A hand-over has nothing to wait for, so it completes on the calling thread. */
    private static void assertNothingRuns(TestElection election) {
        var idle = new AtomicInteger();
        election.withdraw(RevocationReason.WITHDRAWN).thenRun(idle::incrementAndGet);
        assertThat(idle).hasValue(1);
    }

    static class Reactive {

        private final Sinks.One<String> sink = Sinks.one();
        private final AtomicInteger cancelled = new AtomicInteger();
        private int calls;

        int cancelled() {
            return cancelled.get();
        }

        int calls() {
            return calls;
        }

        Sinks.One<String> sink() {
            return sink;
        }

        @LeaderOnly("orders")
        public Mono<String> mono() {
            calls++;
            return Mono.just("done");
        }

        @LeaderOnly("orders")
        public Flux<Integer> flux() {
            calls++;
            return Flux.just(1, 2, 3);
        }

        @LeaderOnly(value = "orders", otherwise = Otherwise.THROW)
        public Mono<String> throwing() {
            return Mono.just("done");
        }

        @LeaderOnly("orders")
        public Publisher<String> publisher() {
            return Flux.just("done");
        }

        @LeaderOnly("orders")
        public Flow.Publisher<String> flow() {
            return JdkFlowAdapter.publisherToFlowPublisher(Flux.just("done"));
        }

        @LeaderOnly("orders")
        public Mono<String> fromContext() {
            return Mono.deferContextual(context -> Mono.just(context.get("tenant")));
        }

        @LeaderOnly("orders")
        public Mono<Leadership> term() {
            return Mono.justOrEmpty(Leadership.current());
        }

        @LeaderOnly("orders")
        public Mono<String> pending() {
            return sink.asMono().doOnCancel(cancelled::incrementAndGet);
        }

        @LeaderOnly(value = "orders", whenRevoked = LeaderOnly.WhenRevoked.INTERRUPT)
        public Mono<String> impatient() {
            return Mono.never();
        }

        @LeaderOnly(value = "orders", whenRevoked = LeaderOnly.WhenRevoked.FINISH)
        public Mono<String> finished() {
            return sink.asMono();
        }

        @LeaderOnly("orders")
        public Flux<String> never() {
            return Flux.<String>never().doOnCancel(cancelled::incrementAndGet);
        }

        @LeaderOnly("orders")
        public Mono<String> throwsItself() {
            throw new IllegalStateException("before there is a result");
        }
    }
}
