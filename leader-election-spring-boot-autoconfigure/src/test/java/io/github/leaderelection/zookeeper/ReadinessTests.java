package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting for a connection that can be used. */
class ReadinessTests {

    private final Readiness readiness = new Readiness(Duration.ofMillis(20));

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void whoWaitsTooLongIsToldWhatToDo() {
        assertThatThrownBy(readiness::await)
                .isInstanceOf(ElectionConnectionException.class)
                .hasMessageContaining("PT0.02S (connection-timeout)");
    }

    @Test
    void whatWasToldLastCounts() {
        var obstacle = new ElectionException("not permitted");
        readiness.refused(obstacle);
        assertThatThrownBy(readiness::await).isSameAs(obstacle);

        readiness.ready();
        assertThatCode(readiness::await).doesNotThrowAnyException();

        readiness.refused(obstacle);
        assertThatThrownBy(readiness::await).isSameAs(obstacle);
    }

    @Test
    void whoIsInterruptedStaysInterrupted() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(readiness::await).isInstanceOf(ElectionConnectionException.class);

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }
}
