package io.github.leaderelection.zookeeper.protocol;

import java.util.List;
import java.util.Set;

/**
 * What the engine knows of the connections that inherit from this one.
 *
 * @param preferred at most two connections that are heirs of this one's elections already, the one with most of them first: if
 *     all elections choose among these, a heartbeat wakes at most two others
 * @param silent connections whose heartbeat should move and does not
 */
public record Heirs(List<String> preferred, Set<String> silent) {

    public static final Heirs NONE = new Heirs(List.of(), Set.of());
}
