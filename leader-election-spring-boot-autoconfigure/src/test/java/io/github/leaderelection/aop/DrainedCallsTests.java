package io.github.leaderelection.aop;

import static io.github.leaderelection.ElectionContract.BACKGROUND;
import static io.github.leaderelection.aop.LeaderOnlyApplication.billing;
import static io.github.leaderelection.aop.LeaderOnlyApplication.orders;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.ElectionMonitor;
import io.github.leaderelection.test.TestElection;
import io.github.leaderelection.zookeeper.fixture.RecordedLog;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/** A hand-over waits for running calls until the drain timeout has elapsed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DrainedCallsTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    @RegisterExtension
    final RecordedLog log = new RecordedLog();

    private static ApplicationContextRunner application(Duration drainTimeout) {
        return LeaderOnlyApplication.withElections(Calls.class)
                .withBean("ordersElection", TestElection.class, () -> new TestElection("orders", drainTimeout));
    }

    private static CompletableFuture<Void> stepDown(TestElection election) {
        CompletableFuture<Void> steppedDown = CompletableFuture.runAsync(election::stepDown, BACKGROUND);
        await().until(() -> !election.isLeader());
        return steppedDown;
    }

    @Test
    void handOverWaitsForRunningCallAndNoOtherIsAdmitted() {
        application(LONG).run(context -> {
            Calls calls = context.getBean(Calls.class);
            orders(context).grant();
            CompletableFuture<String> call = CompletableFuture.supplyAsync(calls::blocking, BACKGROUND);
            await().until(calls::isRunning);

            CompletableFuture<Void> steppedDown = stepDown(orders(context));
            assertThat(steppedDown).isNotDone();
            assertThat(calls.blocking()).isNull();

            calls.finish();
            await().until(steppedDown::isDone);
            await().untilAsserted(() -> assertThat(call).isCompletedWithValue("done"));
        });
    }

    @Test
    void handOverWaitsForPendingStage() {
        application(LONG).run(context -> {
            Calls calls = context.getBean(Calls.class);
            orders(context).grant();
            CompletableFuture<String> stage = calls.stage();
            CompletableFuture<Void> steppedDown = stepDown(orders(context));
            assertThat(steppedDown).isNotDone();
            assertThat(calls.stage()).isCompletedWithValue(null);

            stage.complete("done");
            await().until(steppedDown::isDone);
        });
    }

    @Test
    void failedAndCancelledStagesAreComplete() {
        application(LONG).run(context -> {
            Calls calls = context.getBean(Calls.class);
            orders(context).grant();
            calls.stage().completeExceptionally(new IllegalStateException("broken"));
            calls.stage().cancel(true);
            assertThat(orders(context).withdraw(RevocationReason.WITHDRAWN)).isCompleted();
        });
    }

    @Test
    void drainTimeoutInterruptsCallAndContinuesHandOver() {
        application(Duration.ofMillis(100)).run(context -> {
            Calls calls = context.getBean(Calls.class);
            orders(context).grant();
            CompletableFuture<String> call = CompletableFuture.supplyAsync(calls::blocking, BACKGROUND);
            await().until(calls::isRunning);
            orders(context).stepDown();
            await().until(call::isDone);
            assertThat(call).isCompletedWithValue("interrupted");
        });
        application(Duration.ofMillis(100)).run(context -> {
            orders(context).grant();
            CompletableFuture<String> stage = context.getBean(Calls.class).stage();
            orders(context).stepDown();
            assertThat(stage).isNotDone();
        });
    }

    @Test
    @Tag("F88")
    void lossInterruptsRunningCallsAtOnceUnlessTheyAreToFinish() {
        application(LONG).run(context -> {
            Calls calls = context.getBean(Calls.class);
            orders(context).grant();
            CompletableFuture<String> drained = start(calls, calls::blocking);
            CompletableFuture<String> impatient = start(calls, calls::impatient);
            CompletableFuture<String> finished = start(calls, calls::finished);

            orders(context).revoke(RevocationReason.CONNECTION_LOST);
            await().until(() -> drained.isDone() && impatient.isDone());
            assertThat(drained).isCompletedWithValue("interrupted");
            assertThat(impatient).isCompletedWithValue("interrupted");
            assertThat(finished).isNotDone();

            calls.finish();
            await().until(finished::isDone);
            assertThat(finished).isCompletedWithValue("done");
        });
    }

    @Test
    void handOverInterruptsAtOnceOnlyCallsThatAskForThat() {
        application(LONG).run(context -> {
            Calls calls = context.getBean(Calls.class);
            orders(context).grant();
            CompletableFuture<String> drained = start(calls, calls::blocking);
            CompletableFuture<String> impatient = start(calls, calls::impatient);
            CompletableFuture<Void> steppedDown = stepDown(orders(context));

            await().until(impatient::isDone);
            assertThat(impatient).isCompletedWithValue("interrupted");
            assertThat(drained).isNotDone();
            assertThat(steppedDown).isNotDone();
            calls.finish();
            await().until(() -> drained.isDone() && steppedDown.isDone());
            assertThat(drained).isCompletedWithValue("done");
        });
    }

    @Test
    void handOverWaitsUntilTheDrainTimeoutForCallsThatAreToFinish() {
        application(Duration.ofMillis(100)).run(context -> {
            Calls calls = context.getBean(Calls.class);
            orders(context).grant();
            CompletableFuture<String> finished = start(calls, calls::finished);

            orders(context).stepDown();

            assertThat(finished).isNotDone();
            calls.finish();
            await().until(finished::isDone);
            assertThat(finished).isCompletedWithValue("done");
        });
    }

    @Test
    @Tag("F88")
    void callsThatOutlastTheDrainTimeoutAreCountedAndNamedAfterLossToo() {
        application(Duration.ofMillis(100)).run(context -> {
            Calls calls = context.getBean(Calls.class);
            var overruns = new AtomicInteger();
            orders(context).addMonitor(new ElectionMonitor() {
                @Override
                public void overran() {
                    overruns.incrementAndGet();
                }
            });
            orders(context).grant();
            CompletableFuture<String> finished = start(calls, calls::finished);

            orders(context).revoke(RevocationReason.SESSION_EXPIRED);

            await().until(() -> overruns.get() == 1);
            assertThat(log.warnings())
                    .anyMatch(line -> line.contains("work: " + Calls.class.getName() + ".finished();"));
            calls.finish();
            await().until(finished::isDone);
        });
    }

    @Test
    void callWithinRunningOneIsAdmittedWhileThatDrains() {
        application(LONG).run(context -> {
            Calls calls = context.getBean(Calls.class);
            Leadership term = orders(context).grant();
            CompletableFuture<Optional<Leadership>> call =
                    CompletableFuture.supplyAsync(() -> calls.nested(calls::current), BACKGROUND);
            await().until(calls::isRunning);
            CompletableFuture<Void> steppedDown = stepDown(orders(context));
            assertThat(calls.current()).isEmpty();

            calls.finish();

            await().until(() -> call.isDone() && steppedDown.isDone());
            assertThat(call).isCompletedWithValue(Optional.of(term));
        });
    }

    private static CompletableFuture<String> start(Calls calls, Supplier<String> call) {
        int before = calls.running();
        CompletableFuture<String> started = CompletableFuture.supplyAsync(call, BACKGROUND);
        await().until(() -> calls.running() > before);
        return started;
    }

    @Test
    void interruptIsClearedAfterCall() {
        application(Duration.ofMillis(100)).run(context -> {
            Calls calls = context.getBean(Calls.class);
            orders(context).grant();
            CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(
                    () -> {
                        calls.spinning();
                        return Thread.currentThread().isInterrupted();
                    },
                    BACKGROUND);
            await().until(calls::isRunning);
            orders(context).stepDown();
            await().until(interrupted::isDone);
            assertThat(interrupted).isCompletedWithValue(false);
        });
    }

    @Test
    void callDoesNotDelayOtherElections() {
        LeaderOnlyApplication.application(Calls.class).run(context -> {
            orders(context).grant();
            billing(context).grant();
            CompletableFuture<String> pending = context.getBean(Calls.class).stage();
            assertThat(billing(context).withdraw(RevocationReason.WITHDRAWN)).isCompleted();
            assertThat(pending).isNotDone();
            pending.complete("done");
        });
    }

    @Test
    void closingContextWaitsForRunningCallsBeforeOtherBeansStop() {
        application(LONG).withUserConfiguration(Dependency.class).run(context -> {
            Calls calls = context.getBean(Calls.class);
            Dependency dependency = context.getBean(Dependency.class);
            orders(context).grant();
            CompletableFuture<String> call = CompletableFuture.supplyAsync(calls::blocking, BACKGROUND);
            await().until(calls::isRunning);
            CompletableFuture<Void> closed = CompletableFuture.runAsync(
                    ((ConfigurableApplicationContext) context.getSourceApplicationContext())::close, BACKGROUND);
            TestElection orders = orders(context);
            await().until(() -> !orders.isLeader());
            assertThat(closed).isNotDone();
            assertThat(dependency.isClosed()).isFalse();

            calls.finish();
            await().until(closed::isDone);
            assertThat(call).isCompletedWithValue("done");
            assertThat(dependency.isClosed()).isTrue();
        });
    }

    @Test
    void callsAreSkippedAfterContextWasClosed() {
        application(LONG).run(context -> {
            Calls calls = context.getBean(Calls.class);
            orders(context).grant();
            ((ConfigurableApplicationContext) context.getSourceApplicationContext()).close();
            assertThat(calls.blocking()).isNull();
        });
    }

    static class Calls {

        private final CountDownLatch finish = new CountDownLatch(1);
        private volatile int running;

        void finish() {
            finish.countDown();
        }

        boolean isRunning() {
            return running > 0;
        }

        int running() {
            return running;
        }

        @LeaderOnly("orders")
        public String blocking() {
            return block();
        }

        @LeaderOnly(value = "orders", whenRevoked = LeaderOnly.WhenRevoked.INTERRUPT)
        public String impatient() {
            return block();
        }

        @LeaderOnly(value = "orders", whenRevoked = LeaderOnly.WhenRevoked.FINISH)
        public String finished() {
            return block();
        }

        @LeaderOnly("orders")
        public <T> T nested(Supplier<T> inner) {
            block();
            return inner.get();
        }

        @LeaderOnly("orders")
        public Optional<Leadership> current() {
            return Leadership.current();
        }

        private String block() {
            enter();
            try {
                finish.await();
                return "done";
            } catch (InterruptedException interrupted) {
                return "interrupted";
            }
        }

        private synchronized void enter() {
            running++;
        }

        /** Does not react to interrupts. */
        @LeaderOnly("orders")
        public void spinning() {
            enter();
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }

        @LeaderOnly("orders")
        public CompletableFuture<String> stage() {
            return new CompletableFuture<>();
        }
    }

    static class Dependency implements AutoCloseable {

        private volatile boolean closed;

        boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
