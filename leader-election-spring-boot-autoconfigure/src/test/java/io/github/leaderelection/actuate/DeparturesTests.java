package io.github.leaderelection.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.leaderelection.test.TestElection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class DeparturesTests {

    private static final long TIMEOUT = Duration.ofSeconds(20).toNanos();

    private final Departures departures = new Departures();
    private final TestElection election = new TestElection("orders");

    @Test
    void departureThatWasWaitedForIsNotUnderWay() {
        for (int i = 0; i < 2_000; i++) {
            departures.start(election, () -> {}, TIMEOUT);
            assertThat(departures.isUnderWay("orders")).isFalse();
        }
    }

    @Test
    void departureThatTakesLongerIsUnderWay() {
        var finish = new CountDownLatch(1);
        var finished = new CountDownLatch(1);
        departures.start(
                election,
                () -> {
                    await(finish);
                    finished.countDown();
                },
                TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(departures.isUnderWay("orders")).isTrue();
        assertThat(departures.isUnderWay("billing")).isFalse();
        finish.countDown();
        await(finished);
        Awaitility.await().until(() -> !departures.isUnderWay("orders"));
    }

    @Test
    void failureIsRethrown() {
        assertThatIllegalStateException()
                .isThrownBy(() -> departures.start(
                        election,
                        () -> {
                            throw new IllegalStateException("does not lead");
                        },
                        TIMEOUT))
                .withMessage("does not lead");
        assertThat(departures.isUnderWay("orders")).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
