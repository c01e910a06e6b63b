package io.github.leaderelection.term;

import static io.github.leaderelection.term.TermApplication.application;
import static io.github.leaderelection.term.TermApplication.assertRejected;
import static io.github.leaderelection.term.TermApplication.localApplication;
import static io.github.leaderelection.term.TermApplication.orders;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.Elections;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.Role;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Suspending functions of Kotlin: started for a term, cancelled when it is over, and waited for. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KotlinTermWorkTests {

    private static String next(KotlinConsumer consumer) throws InterruptedException {
        return consumer.events().poll(20, TimeUnit.SECONDS);
    }

    @Test
    void aHandOverCancelsTheFunctionAndWaitsUntilItHasEnded() {
        application(KotlinConsumer.class).run(context -> {
            KotlinConsumer consumer = context.getBean(KotlinConsumer.class);
            orders(context).grant();
            assertThat(next(consumer)).isEqualTo("started 1 true");
            // A test's election notifies its listeners on the calling thread.
            CompletableFuture<Void> withdrawn =
                    CompletableFuture.runAsync(orders(context)::withdraw, task -> new Thread(task).start());
            assertThat(next(consumer)).isEqualTo("cancelled");
            assertThat(withdrawn).isNotDone();
            consumer.end();
            assertThat(next(consumer)).isEqualTo("ended");
            await().until(withdrawn::isDone);
        });
    }

    @Test
    void aLossCancelsTheFunctionAndTheNextTermStartsItAgain() {
        application(KotlinConsumer.class).run(context -> {
            KotlinConsumer consumer = context.getBean(KotlinConsumer.class);
            consumer.end();
            orders(context).grant();
            assertThat(next(consumer)).isEqualTo("started 1 true");
            orders(context).revoke(RevocationReason.CONNECTION_LOST);
            assertThat(next(consumer)).isEqualTo("cancelled");
            assertThat(next(consumer)).isEqualTo("ended");
            orders(context).grant();
            assertThat(next(consumer)).isEqualTo("started 2 true");
        });
    }

    @Test
    void aFailureGivesTheLeadershipUp() {
        localApplication(FailingConsumer.class).run(context -> {
            var orders = context.getBean(Elections.class).get("orders");
            orders.nominate();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> context.getBean(FailingConsumer.class).calls() > 0);
            await().atMost(Duration.ofSeconds(20)).until(() -> orders.role() == Role.CANDIDATE);
        });
    }

    @Test
    void aFunctionThatReturnsMayStepDown() {
        application(ShortConsumer.class).run(context -> {
            orders(context).grant();
            await().atMost(Duration.ofSeconds(20)).until(() -> !orders(context).isLeader());
        });
    }

    @Test
    void resultsAndParametersAreRejected() {
        assertRejected(application(ConsumerWithResult.class), "ConsumerWithResult.consume()", "it returns String");
        assertRejected(
                application(ConsumerWithParameter.class),
                "ConsumerWithParameter.consume()",
                "no value for its parameters");
    }
}
