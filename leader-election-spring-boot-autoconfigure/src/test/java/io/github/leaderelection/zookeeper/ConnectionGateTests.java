package io.github.leaderelection.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionGateTests {

    private final ConnectionGate connectionGate = new ConnectionGate(Duration.ofMillis(20));

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void waitingTooLongFailsWithTheTimeout() {
        assertThatThrownBy(connectionGate::await)
                .isInstanceOf(ElectionConnectionException.class)
                .hasMessageContaining("PT0.02S (connection-timeout)");
    }

    @Test
    void theLastReportCounts() {
        var cause = new ElectionException("not permitted");
        connectionGate.refused(cause);
        assertThatThrownBy(connectionGate::await).isSameAs(cause);
        assertThat(connectionGate.obstacle()).isEqualTo("not permitted");

        connectionGate.ready();
        assertThatCode(connectionGate::await).doesNotThrowAnyException();
        assertThat(connectionGate.obstacle()).isNull();

        connectionGate.refused(cause);
        assertThatThrownBy(connectionGate::await).isSameAs(cause);
    }

    @Test
    void anInterruptedThreadStaysInterrupted() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(connectionGate::await).isInstanceOf(ElectionConnectionException.class);

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }
}
