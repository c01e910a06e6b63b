package io.github.leaderelection.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.RevocationReason;
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
        assertThat(registry.getMeters())
                .as("what is not of one election")
                .map(meter -> meter.getId().getName())
                .containsExactly(MeterDefinition.LED.meterName());
    }

    @Test
    void electionsThatAreLedAreCounted() {
        var orders = new TestElection("orders");
        var billing = new TestElection("billing");
        meters.customize(orders);
        meters.customize(billing);
        orders.grant();
        billing.grant();
        assertThat(led()).isEqualTo(2);

        billing.revoke(RevocationReason.HANDED_OVER);
        assertThat(led()).isOne();
    }

    private double led() {
        return registry.get(MeterDefinition.LED.meterName()).gauge().value();
    }

    @Test
    void closeRemovesAllMeters() {
        meters.customize(new TestElection("orders"));
        meters.customize(new TestElection("billing"));
        meters.close();
        assertThat(registry.getMeters()).isEmpty();
    }
}
