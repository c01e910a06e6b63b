package io.github.leaderelection.zookeeper;

import org.jspecify.annotations.Nullable;

/**
 * Who comes after a leader.
 *
 * @param candidates how many there are, the leader included
 * @param heir the next one's node; null if there is none
 */
record Successor(int candidates, @Nullable String heir) {

    static final Successor UNKNOWN = new Successor(0, null);

    boolean isKnown() {
        return candidates > 0;
    }
}
