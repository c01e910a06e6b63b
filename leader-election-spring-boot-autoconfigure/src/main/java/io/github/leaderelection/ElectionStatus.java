package io.github.leaderelection;

import java.util.Optional;

/**
 * One consistent picture of what this process is in an election.
 *
 * @param candidate this process's candidacy, once it has a node
 * @param following the node name of the watched predecessor, for a follower
 * @param leadership the current term, for a leader
 * @param error what keeps the election from going on, if anything does
 */
public record ElectionStatus(
        String name,
        String path,
        Role role,
        Optional<Candidate> candidate,
        Optional<String> following,
        Optional<Leadership> leadership,
        Optional<String> error) {}
