package io.github.leaderelection.soak;

import java.util.List;

/**
 * What the checker found.
 *
 * @param leaderless times without a leader on a healthy ensemble, the longest first
 * @param longestThroughFaults the longest of them in seconds, if a fault of a candidate does not start the time again
 * @param undecided how often sampling could not decide whether two candidates led at once
 * @param longestUndecided the longest such time, in nanoseconds
 * @param pausedLeaders how many leaders were paused when the next one began, and said "no" when they were asked again
 */
record CheckResult(
        List<Violation> violations,
        List<TimeSpan> leaderless,
        double longestThroughFaults,
        int undecided,
        long longestUndecided,
        int pausedLeaders) {

    double longestLeaderless() {
        return leaderless.isEmpty() ? 0 : leaderless.get(0).seconds();
    }
}
