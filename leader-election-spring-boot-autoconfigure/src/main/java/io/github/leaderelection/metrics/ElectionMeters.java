package io.github.leaderelection.metrics;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Registers the meters of every election as soon as it is opened, so that they show zero from the beginning, and removes
 * them when it is gone. None of them reads ZooKeeper.
 */
public final class ElectionMeters implements ElectionCustomizer, AutoCloseable {

    private final MeterRegistry registry;
    private final Map<Election, MeteredElection> metered = new ConcurrentHashMap<>();

    public ElectionMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void customize(Election election) {
        metered.computeIfAbsent(election, added -> new MeteredElection(added, registry));
    }

    @Override
    public void closed(Election election) {
        MeteredElection gone = metered.remove(election);
        if (gone != null) {
            gone.close();
        }
    }

    @Override
    public void close() {
        metered.keySet().forEach(this::closed);
    }
}
