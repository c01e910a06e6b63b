package io.github.leaderelection.local;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The settings of an in-process election.
 *
 * @param candidateId asked for when this process is nominated, and later
 * @param observe whether listeners hear of this process as the leader, as those of an observed election do of any leader
 * @param executor calls listeners; may be the calling thread
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
            throw new IllegalArgumentException("The drain timeout must not be negative, but is " + drainTimeout);
        }
    }

    /** Returns the settings of one election. */
    LocalSettings forElection(boolean observe, Duration drainTimeout) {
        return new LocalSettings(candidateId, metadata, drainTimeout, observe, executor);
    }
}
