package io.github.leaderelection.sample.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue of an election, as stored in ZooKeeper.
 *
 * @param candidates the ids of the candidates in queue order, leader first; empty if they are not known
 * @param heir the id of the candidate that the leader has chosen to come next, null if there is none
 */
record CandidateQueue(List<String> candidates, @Nullable String heir) {

    static final CandidateQueue EMPTY = new CandidateQueue(List.of(), null);
}
