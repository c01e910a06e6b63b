package io.github.leaderelection.metrics;

import io.github.leaderelection.Election;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** The outcome of a leader-only call. */
enum InvocationOutcome {
    EXECUTED,
    SKIPPED,
    REJECTED,
    /** The method was executed, and threw an exception. */
    FAILED;

    Counter counter(Election election, MeterRegistry registry) {
        return Counter.builder(MeterDefinition.INVOCATIONS.meterName())
                .description(MeterDefinition.INVOCATIONS.description())
                .tag(ElectionMeterRecorder.ELECTION_TAG, election.name())
                .tag("outcome", ElectionMeterRecorder.tagValue(this))
                .register(registry);
    }
}
