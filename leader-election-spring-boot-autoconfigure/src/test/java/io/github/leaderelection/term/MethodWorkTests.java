package io.github.leaderelection.term;

import static io.github.leaderelection.term.TermApplication.PATIENCE;
import static io.github.leaderelection.term.TermApplication.application;
import static io.github.leaderelection.term.TermApplication.orders;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.WhileLeader.Then;
import io.github.leaderelection.aop.InvocationMonitor;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.test.TestElection;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.AliasFor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

class MethodWorkTests {

    @Test
    void callsTheMethodOncePerTermOnAThreadOfItsOwn() {
        application(Loop.class).run(context -> {
            Loop loop = context.getBean(Loop.class);
            assertThat(loop.started).isEmpty();
            Leadership term = orders(context).grant();
            assertThat(next(loop.started)).isSameAs(term);
            assertThat(loop.thread).isNotSameAs(Thread.currentThread());
            orders(context).revoke(RevocationReason.CONNECTION_LOST);
            assertThat(loop.ended).hasValue(1);
            Leadership second = orders(context).grant();
            assertThat(next(loop.started)).isSameAs(second);
            assertThat(loop.started).isEmpty();
        });
    }

    @Test
    void setsTheCurrentTerm() {
        application(Loop.class).run(context -> {
            Leadership term = orders(context).grant();
            Loop loop = context.getBean(Loop.class);
            next(loop.started);
            assertThat(loop.current).containsSame(term);
        });
    }

    @Test
    void aHandOverWaitsForTheMethod() {
        application(SlowLoop.class).run(context -> {
            SlowLoop loop = context.getBean(SlowLoop.class);
            TestElection election = orders(context);
            election.grant();
            next(loop.started);
            var handedOver = new CountDownLatch(1);
            new Thread(() -> {
                        election.stepDown();
                        handedOver.countDown();
                    })
                    .start();
            assertThat(loop.interrupted.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(handedOver.getCount()).isOne();
            loop.mayEnd.countDown();
            assertThat(handedOver.await(20, TimeUnit.SECONDS)).isTrue();
        });
    }

    @Test
    void isInterruptedOnlyOnceSoThatItCanEndInOrder() {
        application(SlowLoop.class).run(context -> {
            SlowLoop loop = context.getBean(SlowLoop.class);
            TestElection election = orders(context);
            election.grant();
            next(loop.started);
            Thread handOver = new Thread(election::stepDown);
            handOver.start();
            assertThat(loop.interrupted.await(20, TimeUnit.SECONDS)).isTrue();
            // Everything has been asked to end by then.
            await().atMost(PATIENCE).until(() -> handOver.getState() == Thread.State.WAITING);
            loop.mayEnd.countDown();
            handOver.join(PATIENCE.toMillis());
            assertThat(loop.interrupts).hasValue(1);
        });
    }

    @Test
    void aMethodThatReturnsEarlyIsIdleUntilTheNextTerm() {
        application(Once.class).run(context -> {
            TestElection election = orders(context);
            election.grant();
            Once once = context.getBean(Once.class);
            next(once.calls);
            assertThat(election.isLeader()).isTrue();
            election.stepDown();
            assertThat(once.calls).isEmpty();
            election.grant();
            next(once.calls);
        });
    }

    @Test
    void aMethodThatReturnsCanGiveUpLeadership() {
        application(OnceThenStepDown.class).run(context -> {
            TestElection election = orders(context);
            EventLog log = EventLog.of(election);
            election.grant();
            log.awaitEvent("revoked 1 STEPPED_DOWN");
            assertThat(election.role()).isEqualTo(Role.CANDIDATE);
        });
    }

    @Test
    void aMethodThatThrowsGivesUpLeadership() {
        application(Failing.class).run(context -> {
            TestElection election = orders(context);
            EventLog log = EventLog.of(election);
            election.grant();
            log.awaitEvent("revoked 1 LISTENER_FAILED");
        });
    }

    @Test
    void anExceptionCausedByTheInterruptIsNoFailure() {
        application(Loop.class).run(context -> {
            TestElection election = orders(context);
            EventLog log = EventLog.of(election);
            election.grant();
            next(context.getBean(Loop.class).started);
            election.stepDown();
            assertThat(log.events()).containsExactly("granted 1", "revoked 1 STEPPED_DOWN");
            assertThat(election.status().error()).isEmpty();
        });
    }

    @Test
    void isNotCalledIfTheTermEndsBeforeItsThreadStarts() throws Exception {
        var election = new TestElection("orders");
        List<Leadership> calls = new ArrayList<>();
        Queue<Runnable> threads = new ArrayDeque<>();
        InvocationMonitor.MethodMonitor unmonitored =
                InvocationMonitor.NONE.forMethod(election, Loop.class.getDeclaredMethods()[0]);
        var work =
                new MethodWork("job", calls::add, Then.IDLE, ManagedElection.of(election), unmonitored, threads::add);

        work.start(election.grant());
        CompletableFuture<Void> stopped = work.stop();
        threads.remove().run();
        assertThat(calls).isEmpty();
        assertThat(stopped).isCompleted();

        election.revoke(RevocationReason.STEPPED_DOWN);
        Leadership second = election.grant();
        work.start(second);
        election.revoke(RevocationReason.CONNECTION_LOST);
        election.grant();
        threads.remove().run();
        assertThat(calls).isEmpty();
        assertThat(work.isRunning()).isFalse();
    }

    @Test
    void theInterruptIsNotLostWithThatOfANestedCall() throws Exception {
        // Does not interrupt the method once more, as it would at the drain timeout.
        var election = new TestElection("orders", Duration.ofMinutes(10));
        var nested = new CountDownLatch(1);
        var mayReturn = new AtomicBoolean();
        var interrupted = new CompletableFuture<Boolean>();
        var work = work(election, new CompletableFuture<>(), term -> {
            election.runIfLeader(admitted -> {
                nested.countDown();
                while (!mayReturn.get()) {
                    Thread.onSpinWait();
                }
            });
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        work.start(election.grant());
        nested.await();
        // Interrupts the nested call, and waits for it.
        Thread revoking = new Thread(() -> election.revoke(RevocationReason.CONNECTION_LOST));
        revoking.start();
        await().atMost(PATIENCE).until(() -> revoking.getState() != Thread.State.RUNNABLE);
        var unused = work.stop();
        mayReturn.set(true);
        assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
        revoking.join(PATIENCE.toMillis());
    }

    @Test
    void anExceptionBecauseTheTermIsOverIsNoFailure() throws Exception {
        var election = new TestElection("orders");
        var called = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var outcome = new CompletableFuture<Optional<Throwable>>();
        var work = work(election, outcome, term -> {
            called.countDown();
            mayEnd.await();
            term.requireValid();
        });
        Leadership term = election.grant();
        work.start(term);
        called.await();
        Thread revoking = new Thread(() -> election.revoke(RevocationReason.STEPPED_DOWN));
        revoking.start();
        await().atMost(PATIENCE).until(() -> !term.isValid());
        mayEnd.countDown();
        assertThat(outcome.get(20, TimeUnit.SECONDS)).isEmpty();
        revoking.join(PATIENCE.toMillis());
    }

    /** Work on a thread of its own, whose outcome is monitored. */
    private static MethodWork work(
            TestElection election, CompletableFuture<Optional<Throwable>> outcome, MethodWork.Call method) {
        InvocationMonitor.MethodMonitor monitor = mock(InvocationMonitor.MethodMonitor.class);
        when(monitor.started()).thenReturn(new InvocationMonitor.Invocation() {
            @Override
            public void returned() {}

            @Override
            public void completed(@Nullable Throwable failure) {
                outcome.complete(Optional.ofNullable(failure));
            }
        });
        return new MethodWork(
                "job", method, Then.IDLE, ManagedElection.of(election), monitor, task -> new Thread(task).start());
    }

    @Test
    void theAnnotationOfALeaderOnlyClassDoesNotApplyToTheMethod() {
        application(LeaderOnlyClass.class, Billing.class).run(context -> {
            orders(context).grant();
            next(context.getBean(LeaderOnlyClass.class).calls());
        });
    }

    @Test
    void theMethodMayBeInheritedOrDeclaredByAnInterface() {
        application(Inheriting.class).run(context -> {
            orders(context).grant();
            Inheriting inheriting = context.getBean(Inheriting.class);
            assertThat(List.of(next(inheriting.calls), next(inheriting.calls)))
                    .containsExactlyInAnyOrder("inherited", "implemented");
            assertThat(inheriting.calls).isEmpty();
        });
    }

    @Test
    void theAnnotationMayBePartOfAnother() {
        application(Composed.class).run(context -> {
            orders(context).grant();
            next(context.getBean(Composed.class).calls);
        });
    }

    @Test
    void aMethodOfALazyBeanIsCalledToo() {
        application(LazyOnce.class).run(context -> {
            orders(context).grant();
            next(context.getBean(LazyOnce.class).calls);
        });
    }

    @Test
    void aMethodThatOverrunsTheDrainTimeoutIsNamedAndNotCalledAgainBeforeItHasEnded() {
        TermApplication.localApplication(SlowLoop.class)
                .withPropertyValues("leader-election.drain-timeout=100ms")
                .run(context -> {
                    SlowLoop loop = context.getBean(SlowLoop.class);
                    Election election = context.getBean(Elections.class).get("orders");
                    election.nominate();
                    next(loop.started);
                    election.stepDown();
                    await().atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(election.status().error())
                                    .hasValueSatisfying(error -> assertThat(error)
                                            .contains(
                                                    "stays out of the queue",
                                                    "@WhileLeader(\"orders\") [SlowLoop.run]")));
                    assertThat(election.isLeader()).isFalse();
                    assertThat(loop.started).isEmpty();
                    loop.mayEnd.countDown();
                    next(loop.started);
                    assertThat(election.status().error()).isEmpty();
                });
    }

    @Test
    void theMethodMayStepDownItself() {
        application(StepsDown.class).run(context -> {
            TestElection election = orders(context);
            context.getBean(StepsDown.class).election = election;
            election.grant();
            await().atMost(PATIENCE).until(() -> !election.isLeader());
            await().atMost(PATIENCE).until(() -> context.getBean(StepsDown.class).returned);
        });
    }

    @Test
    void closingTheApplicationEndsTheMethodFirst() {
        var loop = new Loop[1];
        application(Loop.class).run(context -> {
            loop[0] = context.getBean(Loop.class);
            orders(context).grant();
            next(loop[0].started);
        });
        assertThat(loop[0].ended).hasValue(1);
    }

    @Test
    void runsInLocalMode() {
        TermApplication.localApplication(Loop.class).run(context -> {
            context.getBean(Elections.class).get("orders").nominate();
            next(context.getBean(Loop.class).started);
        });
    }

    @Test
    void isNotCalledIfLeaderElectionIsDisabled() {
        application(Loop.class)
                .withPropertyValues("leader-election.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(WhileLeaderProcessor.class);
                    orders(context).grant();
                    assertThat(context.getBean(Loop.class).started).isEmpty();
                });
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void runsOnAVirtualThreadWhereTheApplicationUsesThem() {
        application(Loop.class)
                .withPropertyValues("spring.threads.virtual.enabled=true")
                .run(context -> {
                    orders(context).grant();
                    Loop loop = context.getBean(Loop.class);
                    next(loop.started);
                    assertThat(loop.thread.getThreadGroup().getName()).isEqualTo("VirtualThreads");
                });
    }

    @Test
    void callsTheMethodThroughTheProxyOfTheBean() {
        application(Proxied.class).run(context -> {
            orders(context).grant();
            next(context.getBean(Proxied.class).calls());
        });
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(20, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    static class Loop {

        final BlockingQueue<Leadership> started = new LinkedBlockingQueue<>();
        final AtomicInteger ended = new AtomicInteger();
        volatile Optional<Leadership> current;
        volatile Thread thread;

        @WhileLeader("orders")
        void run(Leadership term) throws InterruptedException {
            thread = Thread.currentThread();
            current = Leadership.current();
            started.add(term);
            try {
                new CountDownLatch(1).await();
            } finally {
                ended.incrementAndGet();
            }
        }
    }

    static class SlowLoop {

        final BlockingQueue<Leadership> started = new LinkedBlockingQueue<>();
        final CountDownLatch interrupted = new CountDownLatch(1);
        final AtomicInteger interrupts = new AtomicInteger();
        final CountDownLatch mayEnd = new CountDownLatch(1);

        @WhileLeader("${election:orders}")
        public void run(Leadership term) {
            started.add(term);
            while (mayEnd.getCount() > 0) {
                try {
                    mayEnd.await();
                } catch (InterruptedException over) {
                    interrupts.incrementAndGet();
                    interrupted.countDown();
                }
            }
        }
    }

    static class Once {

        final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

        @WhileLeader
        protected void run() {
            calls.add("called");
        }
    }

    static class OnceThenStepDown {

        @WhileLeader(then = Then.STEP_DOWN)
        public void run() {}
    }

    static class Failing {

        @WhileLeader("orders")
        public void run() {
            throw new IllegalArgumentException("no such table");
        }
    }

    static class StepsDown {

        volatile TestElection election;
        volatile boolean returned;

        @WhileLeader("orders")
        public void run() {
            election.stepDown();
            returned = true;
        }
    }

    @EnableAsync
    static class Proxied {

        private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

        BlockingQueue<String> calls() {
            return calls;
        }

        @WhileLeader("orders")
        public void run() {
            calls.add("called");
        }

        @Async
        public void other() {}
    }

    @LeaderOnly("billing")
    static class LeaderOnlyClass {

        private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

        protected BlockingQueue<String> calls() {
            return calls;
        }

        @WhileLeader("orders")
        public void run() {
            calls.add("called");
        }

        public void other() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Billing {

        @Bean
        TestElection billingElection() {
            return new TestElection("billing");
        }
    }

    interface Declaring {

        @WhileLeader("orders")
        void runImplemented();
    }

    abstract static class Inherited {

        final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

        @WhileLeader("orders")
        void runInherited() {
            calls.add("inherited");
        }
    }

    static class Inheriting extends Inherited implements Declaring {

        @Override
        public void runImplemented() {
            calls.add("implemented");
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @WhileLeader
    @interface WhileOrdersLeader {

        @AliasFor(annotation = WhileLeader.class, attribute = "value")
        String election() default "orders";
    }

    static class Composed {

        final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

        @WhileOrdersLeader
        void run() {
            calls.add("called");
        }
    }

    @Lazy
    static class LazyOnce extends Once {}
}
