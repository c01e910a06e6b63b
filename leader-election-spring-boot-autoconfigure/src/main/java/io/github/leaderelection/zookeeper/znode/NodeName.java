package io.github.leaderelection.zookeeper.znode;

import java.util.Optional;

/**
 * The name of a candidate's node, {@code c-<guid>-<sequence>}, the sequence as ZooKeeper writes it; anything else is a
 * foreign child.
 */
public record NodeName(String name, int sequence) {

    public static final String PREFIX = "c-";
    private static final int WIDTH = 10;

    public static Optional<NodeName> parse(String name) {
        int guid = PREFIX.length();
        int sequence = name.indexOf('-', guid) + 1;
        if (!name.startsWith(PREFIX) || sequence < guid + 2 || !isAlphanumeric(name, guid, sequence - 1)) {
            return Optional.empty();
        }
        // Ten characters, or eleven with a sign.
        int length = name.length() - sequence;
        int digits = name.startsWith("-", sequence) ? sequence + 1 : sequence;
        if (length != WIDTH && !(length == WIDTH + 1 && digits > sequence)
                || !isAlphanumeric(name, digits, name.length())) {
            return Optional.empty();
        }
        try {
            return Optional.of(new NodeName(name, Integer.parseInt(name, sequence, name.length(), 10)));
        } catch (NumberFormatException noNumber) {
            return Optional.empty();
        }
    }

    /** In ASCII: {@code parseInt} would accept the digits of other scripts too. */
    private static boolean isAlphanumeric(String name, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = name.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')) {
                return false;
            }
        }
        return true;
    }

    /** The GUID in the name of a candidate's node. */
    public static String guid(String name) {
        return name.substring(PREFIX.length(), name.indexOf('-', PREFIX.length()));
    }

    public static String prefix(String guid) {
        return PREFIX + guid + "-";
    }

    /** ZooKeeper's counter sticks at its maximum, or turns negative: then it says nothing about the order any more. */
    boolean overflown() {
        return sequence < 0 || sequence == Integer.MAX_VALUE;
    }
}
