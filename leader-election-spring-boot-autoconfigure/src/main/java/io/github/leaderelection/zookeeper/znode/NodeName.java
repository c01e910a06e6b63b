package io.github.leaderelection.zookeeper.znode;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a candidate's node, {@code c-<guid>-<sequence>}, the sequence as ZooKeeper writes it; anything else is a
 * foreign child. The GUID begins with that of the connection: {@code <connection>.<number>}. A priority other than 0
 * follows as {@code .p5} or {@code .m5} (for -5), so that a leader can choose its heir from a list of names.
 */
public record NodeName(String name, int sequence) {

    public static final String PREFIX = "c-";
    /** A sequence has ten characters, or eleven with a sign. ASCII: {@code parseInt} would accept other digits too. */
    private static final Pattern FORMAT = Pattern.compile("c-[0-9A-Za-z.]+-([0-9]{10}|-[0-9]{9,10})");

    public static Optional<NodeName> parse(String name) {
        Matcher matcher = FORMAT.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new NodeName(name, Integer.parseInt(matcher.group(1))));
        } catch (NumberFormatException noNumber) {
            return Optional.empty();
        }
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
