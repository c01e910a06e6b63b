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
class ConnectionGateTests {

    private final ConnectionGate connectionGate = new ConnectionGate(Duration.ofMillis(20));

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void whoWaitsTooLongIsToldWhatToDo() {
        assertThatThrownBy(connectionGate::await)
                .isInstanceOf(ElectionConnectionException.class)
                .hasMessageContaining("PT0.02S (connection-timeout)");
    }

    @Test
    void whatWasToldLastCounts() {
        var obstacle = new ElectionException("not permitted");
        connectionGate.refused(obstacle);
        assertThatThrownBy(connectionGate::await).isSameAs(obstacle);
        assertThat(connectionGate.obstacle()).isEqualTo("not permitted");

        connectionGate.ready();
        assertThatCode(connectionGate::await).doesNotThrowAnyException();
        assertThat(connectionGate.obstacle()).isNull();

        connectionGate.refused(obstacle);
        assertThatThrownBy(connectionGate::await).isSameAs(obstacle);
    }

    @Test
    void whoIsInterruptedStaysInterrupted() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(connectionGate::await).isInstanceOf(ElectionConnectionException.class);

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }
}
