package io.github.leaderelection.metrics;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Registers the meters of each election when it is opened, so that they are zero from the beginning, and removes them when
 * it is closed. No meter accesses ZooKeeper.
 */
public final class ElectionMeters implements ElectionCustomizer, AutoCloseable {

    private final MeterRegistry registry;
    private final Map<String, ElectionMeterRecorder> recorders = new ConcurrentHashMap<>();
    private final Gauge led;

    public ElectionMeters(MeterRegistry registry) {
        this.registry = registry;
        this.led = Gauge.builder(MeterDefinition.LED.meterName(), recorders, ElectionMeters::led)
                .description(MeterDefinition.LED.description())
                .strongReference(true)
                .register(registry);
    }

    private static double led(Map<String, ElectionMeterRecorder> recorders) {
        return recorders.values().stream()
                .filter(ElectionMeterRecorder::isLeader)
                .count();
    }

    /** An election may be opened again before its closing is reported. The new election takes over the meters. */
    @Override
    public synchronized void customize(Election election) {
        ElectionMeterRecorder existing = recorders.get(election.name());
        if (existing != null && existing.isFor(election)) {
            return;
        }
        if (existing != null) {
            existing.close();
        }
        recorders.put(election.name(), new ElectionMeterRecorder(election, registry));
    }

    @Override
    public synchronized void closed(Election election) {
        ElectionMeterRecorder existing = recorders.get(election.name());
        if (existing != null && existing.isFor(election)) {
            recorders.remove(election.name());
            existing.close();
        }
    }

    @Override
    public synchronized void close() {
        recorders.values().forEach(ElectionMeterRecorder::close);
        recorders.clear();
        registry.remove(led);
    }
}
