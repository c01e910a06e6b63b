package io.github.leaderelection.metrics;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.ElectionGauges;
import io.github.leaderelection.support.ElectionMonitor;
import io.github.leaderelection.support.ManagedElection;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of one election. */
final class ElectionMeterRecorder implements ElectionListener, ElectionMonitor, AutoCloseable {

    static final String TAG = "election";

    private static final ElectionGauges NOTHING_KNOWN = new ElectionGauges(true, false, 0, 0);

    /** What an error is about. */
    private enum ErrorType {
        CONNECTION,
        NOT_FOUND,
        OTHER;

        static ErrorType of(ElectionException cause) {
            if (cause instanceof ElectionConnectionException) {
                return CONNECTION;
            }
            return cause instanceof ElectionNotFoundException ? NOT_FOUND : OTHER;
        }
    }

    private final Election election;
    private final MeterRegistry registry;
    private final List<Meter> meters = new ArrayList<>();
    private final Counter granted;
    private final Map<RevocationReason, Counter> revoked = new EnumMap<>(RevocationReason.class);
    private final Map<ErrorType, Counter> errors = new EnumMap<>(ErrorType.class);
    private final Counter overruns;
    private final Timer handover;
    private final LongTaskTimer leadership;
    private LongTaskTimer.@Nullable Sample reign;

    ElectionMeterRecorder(Election election, MeterRegistry registry) {
        this.election = election;
        this.registry = registry;
        gauge(MeterDefinition.LEADER, null, now -> now.isLeader() ? 1 : 0);
        gauge(MeterDefinition.CANDIDATES, null, now -> gauges(now).candidates());
        gauge(MeterDefinition.CONNECTED, null, now -> gauges(now).connected() ? 1 : 0);
        gauge(MeterDefinition.LEASE_REMAINING, "seconds", ElectionMeterRecorder::leaseSeconds);
        granted = counter(MeterDefinition.TRANSITIONS, "type", "granted", "reason", "none");
        for (RevocationReason reason : RevocationReason.values()) {
            revoked.put(reason, counter(MeterDefinition.TRANSITIONS, "type", "revoked", "reason", tagValue(reason)));
        }
        for (ErrorType type : ErrorType.values()) {
            errors.put(type, counter(MeterDefinition.ERRORS, "type", tagValue(type)));
        }
        for (InvocationOutcome outcome : InvocationOutcome.values()) {
            add(outcome.counter(election, registry));
        }
        overruns = counter(MeterDefinition.DRAIN_OVERRUNS);
        handover = add(Timer.builder(MeterDefinition.HANDOVER.id())
                .description(MeterDefinition.HANDOVER.description())
                .tag(TAG, election.name())
                .register(registry));
        leadership = add(LongTaskTimer.builder(MeterDefinition.LEADERSHIP.id())
                .description(MeterDefinition.LEADERSHIP.description())
                .tag(TAG, election.name())
                .register(registry));
        election.addListener(this);
        if (election instanceof ManagedElection managed) {
            managed.addMonitor(this);
        }
    }

    static String tagValue(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private <M extends Meter> M add(M meter) {
        meters.add(meter);
        return meter;
    }

    private void gauge(MeterDefinition name, @Nullable String unit, ToDoubleFunction<Election> value) {
        add(Gauge.builder(name.id(), election, value)
                .description(name.description())
                .baseUnit(unit)
                .tag(TAG, election.name())
                .strongReference(true)
                .register(registry));
    }

    private Counter counter(MeterDefinition name, String... tags) {
        return add(Counter.builder(name.id())
                .description(name.description())
                .tag(TAG, election.name())
                .tags(tags)
                .register(registry));
    }

    private static ElectionGauges gauges(Election election) {
        return election instanceof ManagedElection managed ? managed.gauges() : NOTHING_KNOWN;
    }

    /** Not a number where leadership needs no lease. */
    private static double leaseSeconds(Election election) {
        long millis = gauges(election).leaseMillis();
        return millis < 0 ? Double.NaN : millis / 1000.0;
    }

    @Override
    public void granted(Leadership term) {
        granted.increment();
        reign = leadership.start();
    }

    @Override
    public void revoked(Leadership term, RevocationReason reason) {
        Counter counter = revoked.get(reason);
        if (counter != null) {
            counter.increment();
        }
        if (reign != null) {
            reign.stop();
        }
    }

    @Override
    public void failed(Election election, ElectionException cause) {
        Counter counter = errors.get(ErrorType.of(cause));
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void tookOver(Duration time) {
        handover.record(time);
    }

    @Override
    public void overran() {
        overruns.increment();
    }

    boolean isOf(Election other) {
        return election == other;
    }

    @Override
    public void close() {
        election.removeListener(this);
        meters.forEach(registry::remove);
    }
}
