package io.github.leaderelection.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.term.TermWorkMonitor;
import io.github.leaderelection.test.TestElection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MeteredTermWorkMonitorTests {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MeteredTermWorkMonitor monitor = new MeteredTermWorkMonitor(registry);
    private final AtomicBoolean running = new AtomicBoolean();
    private final TermWorkMonitor.WorkMonitor consumer =
            monitor.register(new TestElection("orders"), "consumer", running::get);

    @Test
    void showsWhatRuns() {
        var gauge = registry.get("election.work").tags("election", "orders", "name", "consumer");
        assertThat(gauge.gauge().value()).isZero();
        running.set(true);
        assertThat(gauge.gauge().value()).isOne();
    }

    @Test
    void countsOverrunsByName() {
        var counter = registry.get("election.work.overruns").tags("election", "orders", "name", "consumer");
        assertThat(counter.counter().count()).isZero();
        consumer.overran();
        assertThat(counter.counter().count()).isOne();
    }

    @Test
    void closeRemovesAllMeters() {
        monitor.close();
        assertThat(registry.getMeters()).isEmpty();
    }
}
