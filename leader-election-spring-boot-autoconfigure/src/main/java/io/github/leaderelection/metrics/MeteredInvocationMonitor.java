package io.github.leaderelection.metrics;

import io.github.leaderelection.Election;
import io.github.leaderelection.aop.InvocationMonitor;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Counts leader-only calls by outcome, and creates an observation for each call that is admitted. */
public final class MeteredInvocationMonitor implements InvocationMonitor {

    /** The name of the observation, and therefore of the timer, of leader-only calls. */
    static final String OBSERVATION_NAME = "election.invocation";

    private final MeterRegistry meters;
    private final ObservationRegistry observations;

    public MeteredInvocationMonitor(MeterRegistry meters, ObservationRegistry observations) {
        this.meters = meters;
        this.observations = observations;
    }

    @Override
    public MethodMonitor forMethod(Election election, Method method) {
        return new MeteredMethodMonitor(election, method);
    }

    private final class MeteredMethodMonitor implements MethodMonitor {

        private final Counter skipped;
        private final Counter rejected;
        private final Counter executed;
        private final Counter failed;
        private final String contextualName;
        private final KeyValues tags;

        MeteredMethodMonitor(Election election, Method method) {
            this.skipped = InvocationOutcome.SKIPPED.counter(election, meters);
            this.rejected = InvocationOutcome.REJECTED.counter(election, meters);
            this.executed = InvocationOutcome.EXECUTED.counter(election, meters);
            this.failed = InvocationOutcome.FAILED.counter(election, meters);
            String type = method.getDeclaringClass().getSimpleName();
            this.contextualName = "leader-only %s.%s".formatted(type, method.getName());
            this.tags = KeyValues.of(
                    ElectionMeterRecorder.ELECTION_TAG, election.name(), "class", type, "method", method.getName());
        }

        @Override
        public void skipped() {
            skipped.increment();
        }

        @Override
        public void rejected() {
            rejected.increment();
        }

        @Override
        public Invocation started() {
            Observation observation = Observation.createNotStarted(OBSERVATION_NAME, observations)
                    .contextualName(contextualName)
                    .lowCardinalityKeyValues(tags)
                    .start();
            return new ObservedInvocation(observation, observation.openScope(), executed, failed);
        }
    }

    private record ObservedInvocation(
            Observation observation, Observation.Scope scope, Counter executed, Counter failed) implements Invocation {

        @Override
        public void returned() {
            scope.close();
        }

        @Override
        public void completed(@Nullable Throwable failure) {
            if (failure == null) {
                executed.increment();
            } else {
                failed.increment();
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
                observation.error(cause != null ? cause : failure);
            }
            observation.stop();
        }
    }
}
