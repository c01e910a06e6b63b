package io.github.leaderelection.lifecycle;

import java.time.Duration;

/**
 * The settings of one election.
 *
 * @param shared whether candidates of other applications are expected
 * @param participate whether this instance is nominated
 * @param observe whether events are published when the leader changes
 * @param priority hand-overs and fail-overs go to the candidate with the highest priority
 * @param drainTimeout how long a hand-over waits for listeners and leader-only work
 */
public record ElectionSettings(
        String name,
        String path,
        boolean shared,
        boolean participate,
        boolean observe,
        int priority,
        Duration drainTimeout) {}
