package io.github.leaderelection.zookeeper.protocol;

import java.util.Set;

/**
 * What the engine knows of the connections that inherit from this one.
 *
 * @param preferred the connection that inherits most of this one's elections, empty if none does: if all elections
 *     choose it where they can, a heartbeat wakes one other connection, however many elections and instances there are
 * @param silent connections whose heartbeat should move and does not
 */
public record Heirs(String preferred, Set<String> silent) {

    public static final Heirs NONE = new Heirs("", Set.of());
}
