package io.github.leaderelection.soak;

import java.util.List;

/**
 * What the checker found.
 *
 * @param leaderless times without a leader on a healthy ensemble, the longest first
 * @param longestThroughFaults the longest of them in seconds, if the clock doesn't start again with each disturbance of a
 *     candidate
 * @param undecided how often sampling left open whether two led at once, though both were asked all the time
 * @param longestUndecided for how long at most, in nanoseconds
 * @param sleepers how many leaders did not run when another one began, and said "no" when they were asked next
 */
record Findings(
        List<Violation> violations,
        List<Span> leaderless,
        double longestThroughFaults,
        int undecided,
        long longestUndecided,
        int sleepers) {

    double longestLeaderless() {
        return leaderless.isEmpty() ? 0 : leaderless.get(0).seconds();
    }
}
