package io.github.leaderelection.metrics;

import io.github.leaderelection.Election;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What became of a leader-only call. */
enum Outcome {
    EXECUTED,
    SKIPPED,
    REJECTED,
    /** It was executed, and threw. */
    FAILED;

    Counter counter(Election election, MeterRegistry registry) {
        return Counter.builder(MeterName.INVOCATIONS.id())
                .description(MeterName.INVOCATIONS.description())
                .tag(MeteredElection.TAG, election.name())
                .tag("outcome", MeteredElection.tagValue(this))
                .register(registry);
    }
}
