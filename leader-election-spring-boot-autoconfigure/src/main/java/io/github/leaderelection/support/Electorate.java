package io.github.leaderelection.support;

import io.github.leaderelection.Candidate;
import java.util.List;
import java.util.Optional;

/**
 * Who takes part in an election.
 *
 * @param candidates in the order of the queue, the leader first
 */
public record Electorate(Optional<Candidate> leader, List<Candidate> candidates) {}
