package io.github.leaderelection.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.github.leaderelection.sample.demo.Story.Happening;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RestartsTests {

    private final Story story = new Story();
    private final Restarts restarts = new Restarts(story);
    private final AtomicInteger starts = new AtomicInteger();

    private void restart(String subject, Runnable stop) {
        restarts.restart(subject, stop, Duration.ZERO, starts::incrementAndGet);
    }

    private void awaitEnd(String subject) {
        await().until(() -> !restarts.isUnderWay(subject));
    }

    @Test
    void whoeverAsksAgainWhileOneIsUnderWayIsRefusedAndNothingIsStartedTwice() {
        CountDownLatch stopped = new CountDownLatch(1);
        restart("shop-1", () -> await().until(() -> stopped.getCount() == 0));
        assertThat(restarts.isUnderWay("shop-1")).isTrue();
        assertThatThrownBy(() -> restart("shop-1", () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("shop-1 is being restarted already");
        stopped.countDown();
        awaitEnd("shop-1");
        assertThat(starts).hasValue(1);
        assertThat(story.happenings()).isEmpty();
    }

    @Test
    void anotherOneMayBeRestartedMeanwhile() {
        CountDownLatch stopped = new CountDownLatch(1);
        restart("shop-1", () -> await().until(() -> stopped.getCount() == 0));
        restart("shop-2", () -> {});
        stopped.countDown();
        awaitEnd("shop-1");
        awaitEnd("shop-2");
        assertThat(starts).hasValue(2);
    }

    @Test
    void aFailureIsToldAndItCanBeTriedAgain() {
        restart("shop-1", () -> {
            throw new IllegalStateException("No more processes");
        });
        awaitEnd("shop-1");
        await().untilAsserted(() -> assertThat(story.happenings())
                .extracting(Happening::replica, Happening::detail)
                .containsExactly(tuple("shop-1", "cannot be restarted: No more processes")));
        assertThat(starts).hasValue(0);

        restart("shop-1", () -> {});
        awaitEnd("shop-1");
        assertThat(starts).hasValue(1);
    }
}
