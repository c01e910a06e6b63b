package io.github.leaderelection.support;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * What the in-process elections of one candidate have in common.
 *
 * @param executor where listeners are called; never called under a lock, so it may be the calling thread
 */
public record Setup(String candidateId, Map<String, String> metadata, Duration drainTimeout, Executor executor) {

    public Setup {
        metadata = Map.copyOf(metadata);
        if (drainTimeout.isNegative()) {
            throw new IllegalArgumentException("The drain timeout must not be negative: " + drainTimeout);
        }
    }
}
