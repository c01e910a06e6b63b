package io.github.leaderelection;

import java.time.Instant;
import java.util.Map;

/**
 * One candidate of an election, as everyone sees it.
 *
 * @param id what the instance calls itself; for people, never compared
 * @param metadata what it says about itself
 * @param sequence its place in the order of nominations
 * @param fencingToken the token it has when it leads
 * @param since when it was nominated
 */
public record Candidate(String id, Map<String, String> metadata, long sequence, long fencingToken, Instant since) {

    public Candidate {
        metadata = Map.copyOf(metadata);
    }
}
