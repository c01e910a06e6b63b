package io.github.leaderelection.metrics;

import io.github.leaderelection.Election;
import io.github.leaderelection.ElectionConnectionException;
import io.github.leaderelection.ElectionException;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.ElectionNotFoundException;
import io.github.leaderelection.Leadership;
import io.github.leaderelection.RevocationReason;
import io.github.leaderelection.support.ElectionMonitor;
import io.github.leaderelection.support.ManagedElection;
import io.github.leaderelection.support.MoveCause;
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

/** Registers and records the meters of one election. */
final class ElectionMeterRecorder implements ElectionListener, ElectionMonitor, AutoCloseable {

    static final String ELECTION_TAG = "election";

    /** The kind of an error. */
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
    private final ManagedElection managed;
    private final MeterRegistry registry;
    private final List<Meter> meters = new ArrayList<>();
    private final Counter granted;
    private final Map<RevocationReason, Counter> revoked = new EnumMap<>(RevocationReason.class);
    private final Map<ErrorType, Counter> errors = new EnumMap<>(ErrorType.class);
    private final Map<MoveCause, Counter> moves = new EnumMap<>(MoveCause.class);
    private final Counter overruns;
    private final Counter takeovers;
    private final Timer handover;
    private final LongTaskTimer leadership;
    private LongTaskTimer.@Nullable Sample currentTerm;

    ElectionMeterRecorder(Election election, MeterRegistry registry) {
        this.election = election;
        this.managed = ManagedElection.of(election);
        this.registry = registry;
        gauge(MeterDefinition.LEADER, null, now -> now.isLeader() ? 1 : 0);
        gauge(MeterDefinition.CANDIDATES, null, now -> now.gauges().candidates());
        gauge(MeterDefinition.CONNECTED, null, now -> now.gauges().connected() ? 1 : 0);
        gauge(MeterDefinition.LEASE_REMAINING, "seconds", ElectionMeterRecorder::remainingLeaseSeconds);
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
        for (MoveCause cause : MoveCause.values()) {
            moves.put(cause, counter(MeterDefinition.MOVES, "cause", cause.label()));
        }
        overruns = counter(MeterDefinition.DRAIN_OVERRUNS);
        takeovers = counter(MeterDefinition.TAKEOVERS);
        handover = add(Timer.builder(MeterDefinition.HANDOVER.meterName())
                .description(MeterDefinition.HANDOVER.description())
                .tag(ELECTION_TAG, election.name())
                .register(registry));
        leadership = add(LongTaskTimer.builder(MeterDefinition.LEADERSHIP.meterName())
                .description(MeterDefinition.LEADERSHIP.description())
                .tag(ELECTION_TAG, election.name())
                .register(registry));
        election.addListener(this);
        managed.addMonitor(this);
    }

    static String tagValue(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private <M extends Meter> M add(M meter) {
        meters.add(meter);
        return meter;
    }

    private void gauge(MeterDefinition meter, @Nullable String unit, ToDoubleFunction<ManagedElection> value) {
        add(Gauge.builder(meter.meterName(), managed, value)
                .description(meter.description())
                .baseUnit(unit)
                .tag(ELECTION_TAG, election.name())
                .strongReference(true)
                .register(registry));
    }

    private Counter counter(MeterDefinition meter, String... tags) {
        return add(Counter.builder(meter.meterName())
                .description(meter.description())
                .tag(ELECTION_TAG, election.name())
                .tags(tags)
                .register(registry));
    }

    /** Returns NaN if leadership needs no lease. */
    private static double remainingLeaseSeconds(ManagedElection election) {
        long millis = election.gauges().leaseMillis();
        return millis < 0 ? Double.NaN : millis / 1000.0;
    }

    @Override
    public void granted(Leadership term) {
        granted.increment();
        currentTerm = leadership.start();
    }

    @Override
    public void revoked(Leadership term, RevocationReason reason) {
        Counter counter = revoked.get(reason);
        if (counter != null) {
            counter.increment();
        }
        if (currentTerm != null) {
            currentTerm.stop();
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
    public void tookOverFromSilentLeader() {
        takeovers.increment();
    }

    @Override
    public void moved(MoveCause cause) {
        Counter counter = moves.get(cause);
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void overran() {
        overruns.increment();
    }

    boolean isLeader() {
        return election.isLeader();
    }

    boolean isFor(Election other) {
        return election == other;
    }

    @Override
    public void close() {
        election.removeListener(this);
        meters.forEach(registry::remove);
    }
}
