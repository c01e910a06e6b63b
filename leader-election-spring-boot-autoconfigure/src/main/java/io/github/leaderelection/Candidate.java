package io.github.leaderelection;

import java.time.Instant;
import java.util.Map;

/**
 * A candidate of an election, as all instances see it.
 *
 * @param id the name of the instance; for humans, never compared
 * @param metadata additional information about the instance
 * @param sequence the position in the order of nominations
 * @param fencingToken the fencing token of the candidate's leadership
 * @param since when the candidate was nominated
 */
public record Candidate(String id, Map<String, String> metadata, long sequence, long fencingToken, Instant since) {

    public Candidate {
        metadata = Map.copyOf(metadata);
    }
}
