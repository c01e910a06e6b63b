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
        int end = name.indexOf('-', PREFIX.length());
        if (!name.startsWith(PREFIX) || end <= PREFIX.length() || !isGuid(name, end) || !isSequence(name, end + 1)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new NodeName(name, Integer.parseInt(name.substring(end + 1))));
        } catch (NumberFormatException tooGreat) {
            return Optional.empty();
        }
    }

    private static boolean isGuid(String name, int end) {
        for (int i = PREFIX.length(); i < end; i++) {
            char c = name.charAt(i);
            if (!isDigit(c) && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')) {
                return false;
            }
        }
        return true;
    }

    /** Ten characters, or eleven with a sign; and no digits but these, though a parser knows others. */
    private static boolean isSequence(String name, int from) {
        boolean negative = from < name.length() && name.charAt(from) == '-';
        int length = name.length() - from;
        if (length != WIDTH && !(negative && length == WIDTH + 1)) {
            return false;
        }
        for (int i = negative ? from + 1 : from; i < name.length(); i++) {
            if (!isDigit(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** The GUID in the name of a candidate's node. */
    public static String guid(String name) {
        return name.substring(PREFIX.length(), name.indexOf('-', PREFIX.length()));
    }

    public static String prefix(String guid) {
        return PREFIX + guid + "-";
    }

    /** ZooKeeper's counter sticks at its maximum, or turns negative: the number says nothing about the order any more. */
    public boolean overflown() {
        return sequence < 0 || sequence == Integer.MAX_VALUE;
    }
}
