package io.github.leaderelection;

import java.time.Instant;
import java.util.Map;

/**
 * A candidate of an election, as all instances see it.
 *
 * @param id the name of the instance, for humans and for {@link Election#handOver}; need not be unique
 * @param metadata additional information about the instance
 * @param priority hand-overs and fail-overs go to the highest priority
 * @param sequence the position in the order of nominations
 * @param since when the candidate was nominated
 */
public record Candidate(String id, Map<String, String> metadata, int priority, long sequence, Instant since) {

    public Candidate {
        metadata = Map.copyOf(metadata);
    }
}
