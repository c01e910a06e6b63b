package io.github.leaderelection.soak;

/**
 * A write that a candidate tried, by its own account.
 *
 * @param valid whether its term held before and after
 */
record Attempt(String who, long at, Resource resource, Outcome outcome, long token, boolean valid) {}
