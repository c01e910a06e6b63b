package io.github.leaderelection.zookeeper.znode;

import org.jspecify.annotations.Nullable;

/**
 * Who comes after a leader.
 *
 * @param candidates how many there are, the leader included
 * @param heir the next one's node; null if there is none
 */
public record Successor(int candidates, @Nullable String heir) {

    public static final Successor UNKNOWN = new Successor(0, null);

    public boolean isKnown() {
        return candidates > 0;
    }
}
