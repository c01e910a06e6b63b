package io.github.leaderelection.aop;

import static io.github.leaderelection.aop.LeaderOnlyApplication.orders;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.NotLeaderException;
import io.github.leaderelection.RevocationReason;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;

/** Functions of Kotlin, suspending ones above all: guarded when they are called, drained until they complete. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KotlinFunctionTests {

    private static void run(ContextConsumer<AssertableApplicationContext> test) {
        LeaderOnlyApplication.application(KotlinJobs.class).run(test);
    }

    private static KotlinJobs jobs(AssertableApplicationContext context) {
        return context.getBean(KotlinJobs.class);
    }

    @Test
    void suspendingFunctionIsGuardedWhenItIsCalled() {
        run(context -> {
            KotlinJobs jobs = jobs(context);
            jobs.finish();
            assertThat(Coroutines.run(jobs).join()).isNull();
            Coroutines.runWithoutResult(jobs).join();
            assertThat(jobs.nullable()).isNull();
            orders(context).grant();
            assertThat(Coroutines.run(jobs).join()).isEqualTo("done");
            Coroutines.runWithoutResult(jobs).join();
            assertThat(jobs.nullable()).isEqualTo("done");
        });
    }

    @Test
    void suspendingFunctionThrowsIfItIsToThrow() {
        run(context -> {
            assertThat(Coroutines.strict(jobs(context)))
                    .failsWithin(20, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .havingRootCause()
                    .isInstanceOf(NotLeaderException.class)
                    .withMessageContaining("KotlinJobs.strict()");
            orders(context).grant();
            assertThat(Coroutines.strict(jobs(context)).join()).isEqualTo("done");
        });
    }

    @Test
    void handOverWaitsForSuspendingFunctionUntilItCompletes() {
        run(context -> {
            orders(context).grant();
            CompletableFuture<String> running = Coroutines.run(jobs(context));
            await().until(() -> jobs(context).running() == 1);
            CompletableFuture<Boolean> withdrawn = orders(context).withdraw(RevocationReason.WITHDRAWN);
            assertThat(withdrawn).isNotDone();
            jobs(context).finish();
            assertThat(running.join()).isEqualTo("done");
            await().until(withdrawn::isDone);
        });
    }

    @Test
    @Tag("F88")
    void lossCancelsSuspendingFunction() {
        run(context -> {
            orders(context).grant();
            CompletableFuture<String> running = Coroutines.untilCancelled(jobs(context));
            await().until(() -> jobs(context).running() == 1);

            orders(context).revoke(RevocationReason.CONNECTION_LOST);

            assertThat(jobs(context).cancelled().join()).isEqualTo("cancelled");
            assertThat(running)
                    .failsWithin(20, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .havingRootCause()
                    .isInstanceOf(NotLeaderException.class);
        });
    }

    @Test
    void flowIsGuardedWhenItIsCollected() {
        run(context -> {
            assertThat(Coroutines.values(jobs(context)).join()).isEmpty();
            orders(context).grant();
            assertThat(Coroutines.values(jobs(context)).join()).isEqualTo(List.of(1, 2));
        });
    }
}
