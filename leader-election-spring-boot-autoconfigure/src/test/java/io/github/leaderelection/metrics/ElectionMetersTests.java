package io.github.leaderelection.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.test.TestElection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class ElectionMetersTests {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ElectionMeters meters = new ElectionMeters(registry);

    private double leader() {
        return registry.get(MeterDefinition.LEADER.meterName())
                .tag(ElectionMeterRecorder.ELECTION_TAG, "orders")
                .gauge()
                .value();
    }

    @Test
    void reopenedElectionTakesOverMeters() {
        var earlier = new TestElection("orders");
        meters.customize(earlier);
        earlier.grant();
        assertThat(leader()).isOne();
        var later = new TestElection("orders");

        meters.customize(later);
        assertThat(leader()).isZero();
        earlier.close();
        meters.closed(earlier);
        later.grant();
        assertThat(leader()).isOne();

        meters.closed(later);
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void closeRemovesAllMeters() {
        meters.customize(new TestElection("orders"));
        meters.customize(new TestElection("billing"));
        meters.close();
        assertThat(registry.getMeters()).isEmpty();
    }
}
