package io.github.leaderelection.local;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The settings of an in-process election.
 *
 * @param candidateId returns the candidate's id; called when this process is nominated, and later
 * @param priority has no effect without other candidates, but is shown
 * @param observe whether listeners are notified of changes of the leader, including this process
 * @param executor calls listeners; may be the calling thread
 */
public record LocalSettings(
        Supplier<String> candidateId,
        Map<String, String> metadata,
        int priority,
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
    LocalSettings forElection(boolean observe, Duration drainTimeout, int priority) {
        return new LocalSettings(candidateId, metadata, priority, drainTimeout, observe, executor);
    }
}
