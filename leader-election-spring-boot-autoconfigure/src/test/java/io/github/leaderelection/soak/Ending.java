package io.github.leaderelection.soak;

import java.util.List;
import java.util.Set;

/**
 * How a run ended.
 *
 * @param at when all was calm: exactly one is to lead then
 * @param expected the candidates that should have been running then
 * @param owners whose nodes there were then
 * @param beats how many heartbeats there were then
 * @param leftovers nodes that were there after all candidates had left
 */
record Ending(long at, Set<String> expected, List<String> owners, int beats, List<String> leftovers) {}
