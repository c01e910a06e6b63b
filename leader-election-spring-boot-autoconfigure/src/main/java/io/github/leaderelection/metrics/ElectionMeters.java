package io.github.leaderelection.metrics;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/**
 * Registers the meters of every election as soon as it is opened, so that they show zero from the beginning, and removes
 * them when it is gone. None of them reads ZooKeeper.
 */
public final class ElectionMeters implements ElectionCustomizer, AutoCloseable {

    private final MeterRegistry registry;
    /** By the names of the elections, as the meters are. */
    private final Map<String, ElectionMeterRecorder> metered = new HashMap<>();

    public ElectionMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** One that was opened again may come before the other has gone: the meters are its own from now on. */
    @Override
    public synchronized void customize(Election election) {
        ElectionMeterRecorder known = metered.get(election.name());
        if (known != null && known.isOf(election)) {
            return;
        }
        if (known != null) {
            known.close();
        }
        metered.put(election.name(), new ElectionMeterRecorder(election, registry));
    }

    @Override
    public synchronized void closed(Election election) {
        ElectionMeterRecorder known = metered.get(election.name());
        if (known != null && known.isOf(election)) {
            metered.remove(election.name());
            known.close();
        }
    }

    @Override
    public synchronized void close() {
        metered.values().forEach(ElectionMeterRecorder::close);
        metered.clear();
    }
}
