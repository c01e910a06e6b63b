package io.github.leaderelection.support;

import io.github.leaderelection.Candidate;
import java.util.List;
import java.util.Optional;

/**
 * The candidates of an election.
 *
 * @param candidates all candidates in the order of the queue, the leader first
 */
public record Electorate(Optional<Candidate> leader, List<Candidate> candidates) {}
