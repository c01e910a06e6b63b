package io.github.leaderelection;

import java.util.Optional;

/**
 * A consistent snapshot of an election, as seen from this process.
 *
 * @param candidate this process as a candidate, if it has a node
 * @param following the name of the predecessor's node, if this process is a follower
 * @param leadership the current term, if this process leads
 * @param error the error that prevents the election from making progress, if there is one
 */
public record ElectionStatus(
        String name,
        String path,
        Role role,
        Optional<Candidate> candidate,
        Optional<String> following,
        Optional<Leadership> leadership,
        Optional<String> error) {}
