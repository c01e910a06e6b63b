package io.github.leaderelection.metrics;

import io.github.leaderelection.Election;
import io.github.leaderelection.term.TermWorkMonitor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Registers the meters of the work that runs for a term. */
public final class MeteredTermWorkMonitor implements TermWorkMonitor, AutoCloseable {

    private final MeterRegistry registry;
    private final List<Meter> meters = new ArrayList<>();

    public MeteredTermWorkMonitor(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public synchronized WorkMonitor register(Election election, String name, BooleanSupplier running) {
        Tags tags = Tags.of(ElectionMeterRecorder.ELECTION_TAG, election.name(), "name", name);
        meters.add(Gauge.builder(MeterDefinition.WORK.meterName(), running, now -> now.getAsBoolean() ? 1 : 0)
                .description(MeterDefinition.WORK.description())
                .tags(tags)
                .strongReference(true)
                .register(registry));
        Counter overruns = Counter.builder(MeterDefinition.WORK_OVERRUNS.meterName())
                .description(MeterDefinition.WORK_OVERRUNS.description())
                .tags(tags)
                .register(registry);
        meters.add(overruns);
        return overruns::increment;
    }

    @Override
    public synchronized void close() {
        meters.forEach(registry::remove);
        meters.clear();
    }
}
