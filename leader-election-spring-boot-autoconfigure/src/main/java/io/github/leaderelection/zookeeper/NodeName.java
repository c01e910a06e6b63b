package io.github.leaderelection.zookeeper;

import java.util.Optional;

/** The name of a candidate's node, {@code c-<guid>-<sequence>}; anything else is a foreign child. */
record NodeName(String name, int sequence) {

    static final String PREFIX = "c-";

    static Optional<NodeName> parse(String name) {
        int end = name.indexOf('-', PREFIX.length());
        if (!name.startsWith(PREFIX) || end < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(new NodeName(name, Integer.parseInt(name.substring(end + 1))));
        } catch (NumberFormatException foreign) {
            return Optional.empty();
        }
    }

    String guid() {
        return name.substring(PREFIX.length(), name.indexOf('-', PREFIX.length()));
    }

    static String prefix(String guid) {
        return PREFIX + guid + "-";
    }

    /** ZooKeeper's counter sticks at its maximum, or turns negative: the number says nothing about the order any more. */
    boolean overflown() {
        return sequence < 0 || sequence == Integer.MAX_VALUE;
    }
}
