package io.github.leaderelection.soak;

/**
 * A write of a candidate, as the candidate saw it.
 *
 * @param valid whether its term was valid before and after
 */
record WriteAttempt(
        String candidate, long at, FencedResource resource, WriteOutcome outcome, long token, boolean valid) {}
