package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.sample.demo.History.Event;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RestartCoordinatorTests {

    private final History history = new History();
    private final RestartCoordinator restarts = new RestartCoordinator(history);
    private final AtomicInteger starts = new AtomicInteger();

    private void restart(String subject, Runnable stop) {
        restarts.restart(subject, stop, Duration.ZERO, starts::incrementAndGet);
    }

    private void awaitCompletion(String subject) {
        await().until(() -> !restarts.isInProgress(subject));
    }

    @Test
    void rejectsASecondRestartWhileOneIsInProgress() {
        CountDownLatch stopped = new CountDownLatch(1);
        restart("shop-1", () -> await().until(() -> stopped.getCount() == 0));
        assertThat(restarts.isInProgress("shop-1")).isTrue();
        assertThatThrownBy(() -> restart("shop-1", () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("shop-1 is already being restarted");
        stopped.countDown();
        awaitCompletion("shop-1");
        assertThat(starts).hasValue(1);
        assertThat(history.events()).isEmpty();
    }

    @Test
    void allowsARestartOfAnotherSubjectAtTheSameTime() {
        CountDownLatch stopped = new CountDownLatch(1);
        restart("shop-1", () -> await().until(() -> stopped.getCount() == 0));
        restart("shop-2", () -> {});
        stopped.countDown();
        awaitCompletion("shop-1");
        awaitCompletion("shop-2");
        assertThat(starts).hasValue(2);
    }

    @Test
    void aFailedRestartIsReportedAndCanBeRepeated() {
        restart("shop-1", () -> {
            throw new IllegalStateException("No more processes");
        });
        awaitCompletion("shop-1");
        await().untilAsserted(() -> assertThat(history.events())
                .extracting(Event::replica, Event::detail)
                .containsExactly(tuple("shop-1", "restart failed: No more processes")));
        assertThat(starts).hasValue(0);

        restart("shop-1", () -> {});
        awaitCompletion("shop-1");
        assertThat(starts).hasValue(1);
    }
}
