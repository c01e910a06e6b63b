package io.github.leaderelection.metrics;

import io.github.leaderelection.Election;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What became of a leader-only call. */
enum InvocationOutcome {
    EXECUTED,
    SKIPPED,
    REJECTED,
    /** It was executed, and threw. */
    FAILED;

    Counter counter(Election election, MeterRegistry registry) {
        return Counter.builder(MeterDefinition.INVOCATIONS.id())
                .description(MeterDefinition.INVOCATIONS.description())
                .tag(ElectionMeterRecorder.TAG, election.name())
                .tag("outcome", ElectionMeterRecorder.tagValue(this))
                .register(registry);
    }
}
