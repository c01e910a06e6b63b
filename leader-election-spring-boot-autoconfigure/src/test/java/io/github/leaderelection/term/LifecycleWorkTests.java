package io.github.leaderelection.term;

import static io.github.leaderelection.term.TermApplication.PATIENCE;
import static io.github.leaderelection.term.TermApplication.application;
import static io.github.leaderelection.term.TermApplication.localApplication;
import static io.github.leaderelection.term.TermApplication.orders;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Elections;
import io.github.leaderelection.EventLog;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.local.LocalElections;
import io.github.leaderelection.test.TestElection;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

class LifecycleWorkTests {

    @Test
    void theContextDoesNotStartTheBean() {
        application(Consumer.class).run(context -> {
            Consumer consumer = context.getBean(Consumer.class);
            assertThat(consumer.isRunning()).isFalse();
            orders(context).grant();
            assertThat(consumer.isRunning()).isTrue();
            orders(context).revoke(RevocationReason.SESSION_EXPIRED);
            assertThat(consumer.isRunning()).isFalse();
            orders(context).grant();
            assertThat(consumer.log()).containsExactly("start bean", "stop bean", "start bean");
        });
    }

    @Test
    void startsInTheOrderOfThePhasesAndStopsInReverse() {
        application(Phases.class).run(context -> {
            orders(context).grant();
            orders(context).stepDown();
            assertThat(context.getBean(Phases.class).log)
                    .containsExactly(
                            "start first", "start second", "start third", "stop third", "stop second", "stop first");
        });
    }

    @Test
    void waitsForTheCallbackOfASmartLifecycle() {
        application(StopsLater.class).run(context -> {
            StopsLater bean = context.getBean(StopsLater.class);
            TestElection election = orders(context);
            election.grant();
            var handedOver = new CountDownLatch(1);
            ForkJoinPool.commonPool().execute(() -> {
                election.stepDown();
                handedOver.countDown();
            });
            await().atMost(PATIENCE).until(() -> bean.callback != null);
            assertThat(handedOver.getCount()).isOne();
            bean.callback.run();
            assertThat(handedOver.await(20, TimeUnit.SECONDS)).isTrue();
        });
    }

    @Test
    void atALossASlowPhaseDoesNotKeepOthersRunning() {
        application(SlowPhase.class).run(context -> {
            SlowPhase beans = context.getBean(SlowPhase.class);
            TestElection election = orders(context);
            election.grant();
            ForkJoinPool.commonPool().execute(() -> election.revoke(RevocationReason.CONNECTION_LOST));
            await().atMost(PATIENCE).until(() -> beans.log.contains("stop first"));
            assertThat(beans.log).doesNotContain("stop slow");
            beans.mayStop.countDown();
            await().atMost(PATIENCE).until(() -> beans.log.contains("stop slow"));
        });
    }

    @Test
    void aStartThatThrowsGivesUpLeadershipAndStopsWhatWasStarted() {
        application(FailingStart.class).run(context -> {
            EventLog log = EventLog.of(orders(context));
            orders(context).grant();
            assertThat(context.getBean(FailingStart.class).log).containsExactly("start first", "stop first");
            assertThat(log.events()).containsExactly("granted 1", "revoked 1 LISTENER_FAILED");
        });
    }

    @Test
    void aRevocationDuringTheStartWaitsForItAndStopsIt() {
        application(SlowStart.class).run(context -> {
            SlowStart bean = context.getBean(SlowStart.class);
            TestElection election = orders(context);
            ForkJoinPool.commonPool().execute(election::grant);
            assertThat(bean.starting.await(20, TimeUnit.SECONDS)).isTrue();
            election.revoke(RevocationReason.CONNECTION_LOST);
            bean.mayStart.countDown();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(bean.log()).containsExactly("start bean", "stop bean"));
        });
    }

    @Test
    void startsNothingForATermThatIsOver() {
        application(SlowStartBeforeAnother.class).run(context -> {
            SlowStartBeforeAnother beans = context.getBean(SlowStartBeforeAnother.class);
            TestElection election = orders(context);
            ForkJoinPool.commonPool().execute(election::grant);
            assertThat(beans.slow.starting.await(20, TimeUnit.SECONDS)).isTrue();
            election.revoke(RevocationReason.CONNECTION_LOST);
            beans.slow.mayStart.countDown();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(beans.log).containsExactly("start slow", "stop slow"));
        });
    }

    @Test
    void whatRunsIsStoppedAtALossWhileSomethingElseStillStarts() {
        application(SlowStartAfterAnother.class).run(context -> {
            SlowStartAfterAnother beans = context.getBean(SlowStartAfterAnother.class);
            TestElection election = orders(context);
            ForkJoinPool.commonPool().execute(election::grant);
            assertThat(beans.slow.starting.await(20, TimeUnit.SECONDS)).isTrue();
            election.revoke(RevocationReason.CONNECTION_LOST);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(beans.log).containsExactly("start first", "stop first"));
            beans.slow.mayStart.countDown();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(beans.log)
                            .containsExactly("start first", "stop first", "start slow", "stop slow"));
        });
    }

    @Test
    void aHandOverDuringTheStartKeepsTheOrderOfThePhases() {
        application(SlowStartAfterAnother.class).run(context -> {
            SlowStartAfterAnother beans = context.getBean(SlowStartAfterAnother.class);
            TestElection election = orders(context);
            ForkJoinPool.commonPool().execute(election::grant);
            assertThat(beans.slow.starting.await(20, TimeUnit.SECONDS)).isTrue();
            election.revoke(RevocationReason.STEPPED_DOWN);
            beans.slow.mayStart.countDown();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(beans.log)
                            .containsExactly("start first", "start slow", "stop slow", "stop first"));
        });
    }

    @Test
    void aPlainLifecycleIsStoppedToo() {
        application(Plain.class).run(context -> {
            Plain bean = context.getBean(Plain.class);
            orders(context).grant();
            assertThat(bean.isRunning()).isTrue();
            orders(context).withdraw();
            assertThat(bean.isRunning()).isFalse();
        });
    }

    @Test
    void aStopThatThrowsDoesNotPreventTheHandOver() {
        application(FailingStop.class).run(context -> {
            orders(context).grant();
            orders(context).stepDown();
            assertThat(orders(context).isLeader()).isFalse();
        });
    }

    @Test
    void aFactoryBeanMayHaveTheLifecycle() {
        application(Factory.class).run(context -> {
            Scheduler scheduler = context.getBean("&scheduler", Scheduler.class);
            assertThat(scheduler.isRunning()).isFalse();
            orders(context).grant();
            assertThat(scheduler.isRunning()).isTrue();
        });
    }

    @Test
    void aBeanOnWhichOthersDependIsNotStartedWithThem() {
        application(Dependency.class).run(context -> {
            RecordedLifecycle consumer = context.getBean("consumer", RecordedLifecycle.class);
            assertThat(context.getBean("dependent", RecordedLifecycle.class).isRunning())
                    .isTrue();
            assertThat(consumer.log()).isEmpty();
            orders(context).grant();
            assertThat(consumer.isRunning()).isTrue();
        });
    }

    @Test
    void aBeanWhoseProxyIsMadeFromItsInterfaces() {
        application(InterfaceProxy.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> {
                    SmartLifecycle consumer = context.getBean("consumer", SmartLifecycle.class);
                    assertThat(Proxy.isProxyClass(consumer.getClass())).isTrue();
                    assertThat(consumer.isRunning()).isFalse();
                    orders(context).grant();
                    assertThat(consumer.isRunning()).isTrue();
                    orders(context).stepDown();
                    assertThat(consumer.isRunning()).isFalse();
                });
    }

    @Test
    void aLazyBeanIsStartedToo() {
        application(LazyBean.class).run(context -> {
            orders(context).grant();
            assertThat(context.getBean(RecordedLifecycle.class).isRunning()).isTrue();
        });
    }

    @Test
    void closingTheApplicationWaitsForTheEndBeforeTheContextStopsTheBean() {
        var beans = new StopsLater[1];
        application(StopsLater.class).run(context -> {
            beans[0] = context.getBean(StopsLater.class);
            orders(context).grant();
            ForkJoinPool.commonPool().execute(() -> {
                await().atMost(PATIENCE).until(() -> beans[0].callback != null);
                beans[0].log().add("ended");
                beans[0].callback.run();
            });
        });
        assertThat(beans[0].log()).containsExactly("start bean", "stop bean", "ended");
    }

    @Test
    void closingTheApplicationWaitsForTheDrainTimeoutOfTheElection() {
        var closing = new AtomicLong();
        var beans = new StopsLater[1];
        localApplication(StopsLater.class)
                .withPropertyValues(
                        "leader-election.drain-timeout=10m", "leader-election.elections.orders.drain-timeout=100ms")
                .run(context -> {
                    beans[0] = context.getBean(StopsLater.class);
                    context.getBean(Elections.class).get("orders").nominate();
                    await().atMost(PATIENCE).until(beans[0]::isRunning);
                    closing.set(System.nanoTime());
                });
        assertThat(Duration.ofNanos(System.nanoTime() - closing.get())).isLessThan(PATIENCE);
        // Otherwise the thread that waits for its end would stay, and other tests would find it.
        beans[0].callback.run();
    }

    @Test
    void startsWithTheApplicationIfLeaderElectionIsDisabled() {
        application(Consumer.class)
                .withPropertyValues("leader-election.enabled=false")
                .run(context ->
                        assertThat(context.getBean(Consumer.class).isRunning()).isTrue());
    }

    @Test
    void whatOverrunsTheDrainTimeoutIsInterruptedAndNotStartedAgainBeforeItHasEnded() throws Exception {
        var bean = new Stubborn();
        try (LocalElections elections = LocalElections.create("a", Map.of(), Duration.ofMillis(50))) {
            var work = new ElectionWork(elections.election("orders", "/orders"), task -> new Thread(task).start());
            var overran = new CountDownLatch(1);
            work.add(new LifecycleWork("bean", bean, task -> new Thread(task).start()), (election, name, running) -> {
                assertThat(name).isEqualTo("bean");
                return overran::countDown;
            });
            var term = new TestElection("orders").grant();
            work.granted(term);
            Thread revoking = new Thread(() -> work.revoked(term, RevocationReason.STEPPED_DOWN));
            revoking.start();
            assertThat(bean.stopping.await(20, TimeUnit.SECONDS)).isTrue();
            // As the election does when the drain timeout has elapsed.
            revoking.interrupt();
            assertThat(overran.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(bean.interrupted.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(revoking.isAlive()).isTrue();
            bean.mayStop.countDown();
            revoking.join(20_000);
            assertThat(revoking.isAlive()).isFalse();
        }
    }

    @WhileLeader("orders")
    static class Consumer extends RecordedLifecycle {}

    @Configuration(proxyBeanMethods = false)
    static class Dependency {

        @Bean
        @WhileLeader("orders")
        RecordedLifecycle consumer() {
            return new RecordedLifecycle();
        }

        @Bean
        RecordedLifecycle dependent(@Qualifier("consumer") RecordedLifecycle consumer) {
            return new RecordedLifecycle();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class InterfaceProxy {

        @Bean
        SmartLifecycle consumer() {
            return new WithProxy();
        }
    }

    interface Reloadable {
        @Async
        void reload();
    }

    @WhileLeader("orders")
    static class WithProxy extends RecordedLifecycle implements Reloadable {
        @Override
        public void reload() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Phases {

        final List<String> log = new CopyOnWriteArrayList<>();

        @Bean
        @WhileLeader("orders")
        RecordedLifecycle third() {
            return new RecordedLifecycle("third", 3, log);
        }

        @Bean
        @WhileLeader("orders")
        RecordedLifecycle first() {
            return new RecordedLifecycle("first", 1, log);
        }

        @Bean
        @WhileLeader("orders")
        RecordedLifecycle second() {
            return new RecordedLifecycle("second", 2, log);
        }
    }

    @WhileLeader("orders")
    static class StopsLater extends RecordedLifecycle {

        volatile Runnable callback;

        @Override
        public void stop(Runnable callback) {
            stop();
            this.callback = callback;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SlowPhase {

        final List<String> log = new CopyOnWriteArrayList<>();
        final CountDownLatch mayStop = new CountDownLatch(1);

        @Bean
        @WhileLeader("orders")
        RecordedLifecycle first() {
            return new RecordedLifecycle("first", 1, log);
        }

        @Bean
        @WhileLeader("orders")
        RecordedLifecycle slow() {
            return new RecordedLifecycle("slow", 2, log) {
                @Override
                public void stop() {
                    awaitUninterruptibly(mayStop);
                    super.stop();
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FailingStart {

        final List<String> log = new CopyOnWriteArrayList<>();

        @Bean
        @WhileLeader("orders")
        RecordedLifecycle first() {
            return new RecordedLifecycle("first", 1, log);
        }

        @Bean
        @WhileLeader("orders")
        RecordedLifecycle failing() {
            return new RecordedLifecycle("failing", 2, log) {
                @Override
                public void start() {
                    throw new IllegalStateException("no broker");
                }
            };
        }

        @Bean
        @WhileLeader("orders")
        RecordedLifecycle last() {
            return new RecordedLifecycle("last", 3, log);
        }
    }

    @WhileLeader("orders")
    static class SlowStart extends RecordedLifecycle {

        final CountDownLatch starting = new CountDownLatch(1);
        final CountDownLatch mayStart = new CountDownLatch(1);

        SlowStart() {}

        SlowStart(String name, int phase, List<String> log) {
            super(name, phase, log);
        }

        @Override
        public void start() {
            starting.countDown();
            awaitUninterruptibly(mayStart);
            super.start();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SlowStartBeforeAnother {

        final List<String> log = new CopyOnWriteArrayList<>();
        final SlowStart slow = new SlowStart("slow", 1, log);

        @Bean
        SlowStart slow() {
            return slow;
        }

        @Bean
        @WhileLeader("orders")
        RecordedLifecycle other() {
            return new RecordedLifecycle("other", 2, log);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SlowStartAfterAnother {

        final List<String> log = new CopyOnWriteArrayList<>();
        final SlowStart slow = new SlowStart("slow", 2, log);

        @Bean
        @WhileLeader("orders")
        RecordedLifecycle first() {
            return new RecordedLifecycle("first", 1, log);
        }

        @Bean
        SlowStart slow() {
            return slow;
        }
    }

    @WhileLeader("orders")
    static class Plain implements Lifecycle {

        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    @WhileLeader("orders")
    static class FailingStop extends RecordedLifecycle {
        @Override
        public void stop() {
            super.stop();
            throw new IllegalStateException("no broker");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Factory {
        @Bean
        @WhileLeader("orders")
        Scheduler scheduler() {
            return new Scheduler();
        }
    }

    static class Scheduler extends RecordedLifecycle implements FactoryBean<String> {

        @Override
        public String getObject() {
            return "the scheduler";
        }

        @Override
        public Class<?> getObjectType() {
            return String.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyBean {
        @Bean
        @Lazy
        @WhileLeader("orders")
        RecordedLifecycle lazy() {
            return new RecordedLifecycle();
        }
    }

    static class Stubborn extends RecordedLifecycle {

        final CountDownLatch stopping = new CountDownLatch(1);
        final CountDownLatch interrupted = new CountDownLatch(1);
        final CountDownLatch mayStop = new CountDownLatch(1);

        @Override
        public void stop() {
            stopping.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException overdue) {
                interrupted.countDown();
            }
            awaitUninterruptibly(mayStop);
            super.stop();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException again) {
                // Stubborn on purpose.
            }
        }
    }
}
