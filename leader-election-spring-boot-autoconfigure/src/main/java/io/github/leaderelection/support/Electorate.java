package io.github.leaderelection.support;

import io.github.leaderelection.Candidate;
import java.util.List;
import java.util.Optional;

/**
 * The candidates of an election.
 *
 * @param candidates all candidates, the leader first, then by age
 * @param heir the candidate that the leader has chosen as its successor
 */
public record Electorate(Optional<Candidate> leader, List<Candidate> candidates, Optional<Candidate> heir) {}
