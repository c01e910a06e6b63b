package io.github.leaderelection.zookeeper.znode;

import java.util.Optional;

/**
 * The name of a candidate's node, {@code c-<guid>-<sequence>}, the sequence as ZooKeeper writes it; anything else is a
 * foreign child. The GUID begins with that of the connection: {@code <connection>.<number>}. A priority other than 0
 * follows as {@code .p5} or {@code .m5} (for -5), so that a leader can choose its heir from a list of names.
 */
public record NodeName(String name, int sequence) {

    public static final String PREFIX = "c-";
    /** The digits of a sequence; a sign may come before them. */
    private static final int WIDTH = 10;

    /** Without a regular expression: lists contain many names, and are read where nothing is compiled yet. */
    public static Optional<NodeName> parse(String name) {
        int guid = PREFIX.length();
        int sequence = name.indexOf('-', guid) + 1;
        int digits = name.startsWith("-", sequence) ? sequence + 1 : sequence;
        int length = name.length() - sequence;
        if (!name.startsWith(PREFIX)
                || sequence < guid + 2
                || length != WIDTH && (length != WIDTH + 1 || digits == sequence)
                || !isAlphanumeric(name, guid, sequence - 1)
                || !isNumeric(name, digits, name.length())) {
            return Optional.empty();
        }
        try {
            return Optional.of(new NodeName(name, Integer.parseInt(name, sequence, name.length(), 10)));
        } catch (NumberFormatException tooLarge) {
            return Optional.empty();
        }
    }

    private static boolean isAlphanumeric(String name, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = name.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c == '.')) {
                return false;
            }
        }
        return true;
    }

    /** In ASCII: {@code parseInt} would accept the digits of other scripts too. */
    private static boolean isNumeric(String name, int from, int to) {
        for (int i = from; i < to; i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /** The GUID in the name of a candidate's node. */
    public static String guid(String name) {
        return name.substring(PREFIX.length(), name.indexOf('-', PREFIX.length()));
    }

    /** The GUID of a candidacy with that priority. */
    public static String guid(String guid, int priority) {
        return priority == 0 ? guid : guid + (priority > 0 ? ".p" : ".m") + Math.abs((long) priority);
    }

    /** The GUID of the connection that created the node. */
    public String connection() {
        return connection(guid(name));
    }

    /** The GUID of the connection in the GUID of a candidacy. */
    public static String connection(String guid) {
        int end = guid.indexOf('.');
        return end < 0 ? guid : guid.substring(0, end);
    }

    public int priority() {
        String guid = guid(name);
        int sign = guid.lastIndexOf('.') + 1;
        boolean negative = guid.startsWith("m", sign);
        if (guid.indexOf('.') == sign - 1 || !negative && !guid.startsWith("p", sign)) {
            return 0;
        }
        try {
            long value = Long.parseLong(guid, sign + 1, guid.length(), 10);
            return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, negative ? -value : value));
        } catch (NumberFormatException foreign) {
            return 0;
        }
    }

    public static String prefix(String guid) {
        return PREFIX + guid + "-";
    }

    /** ZooKeeper's counter sticks at its maximum, or turns negative: then it says nothing about the order any more. */
    boolean overflown() {
        return sequence < 0 || sequence == Integer.MAX_VALUE;
    }
}
