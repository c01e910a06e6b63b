package io.github.leaderelection.zookeeper.znode;

import org.jspecify.annotations.Nullable;

/**
 * The candidate that comes after the leader.
 *
 * @param candidates the number of candidates, including the leader
 * @param heir the name of its node; null if there is none
 */
public record Successor(int candidates, @Nullable String heir) {

    public static final Successor UNKNOWN = new Successor(0, null);

    public boolean isKnown() {
        return candidates > 0;
    }
}
