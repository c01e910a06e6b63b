package io.github.leaderelection.local;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * How an in-process election behaves.
 *
 * @param candidateId asked for at each nomination
 * @param observe whether listeners are told that this process leads, as an observed election tells of any leader
 * @param executor where listeners are called; never called under a lock, so it may be the calling thread
 */
public record LocalSettings(
        Supplier<String> candidateId,
        Map<String, String> metadata,
        Duration drainTimeout,
        boolean observe,
        Executor executor) {

    public LocalSettings {
        metadata = Map.copyOf(metadata);
        if (drainTimeout.isNegative()) {
            throw new IllegalArgumentException("The drain timeout must not be negative: " + drainTimeout);
        }
    }

    public LocalSettings observe(boolean observe) {
        return new LocalSettings(candidateId, metadata, drainTimeout, observe, executor);
    }
}
