package io.github.leaderelection.soak;

import java.util.List;
import java.util.Set;

/**
 * The state at the end of a run.
 *
 * @param at when all faults had ended and there must be exactly one leader
 * @param expected the candidates that were running then
 * @param owners the owners of the candidates' nodes then
 * @param heartbeats the number of heartbeat nodes then
 * @param leftovers nodes that existed after all candidates had left
 */
record FinalState(long at, Set<String> expected, List<String> owners, int heartbeats, List<String> leftovers) {}
