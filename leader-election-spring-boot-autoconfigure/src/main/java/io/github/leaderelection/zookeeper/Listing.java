package io.github.leaderelection.zookeeper;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The candidates of an election in the order of the queue, as one answer told them.
 *
 * @param stat the election node's, if it was read along
 * @param answeredAt when the answer came, by the monotonic clock
 * @param ordered whether the order is known; false after an overflow of the sequence, until the czxids are
 */
record Listing(List<NodeName> queue, @Nullable Stat stat, long answeredAt, boolean ordered) {

    /** Nothing was listed yet. */
    static final Listing NONE = new Listing(List.of(), null, 0, false);

    static Listing of(List<String> children, @Nullable Stat stat, long answeredAt) {
        List<NodeName> queue = new ArrayList<>(children.size());
        boolean ordered = true;
        for (String child : children) {
            NodeName candidate = NodeName.parse(child).orElse(null);
            if (candidate != null) {
                queue.add(candidate);
                ordered &= !candidate.overflown();
            }
        }
        queue.sort(Comparator.comparingInt(NodeName::sequence));
        return new Listing(List.copyOf(queue), stat, answeredAt, ordered);
    }

    /** The same candidates in the order in which they were created; those without a czxid are gone. */
    Listing orderedBy(Map<String, Long> czxids, long answeredAt) {
        List<NodeName> sorted = queue.stream()
                .filter(node -> czxids.containsKey(node.name()))
                .sorted(Comparator.comparing(node -> czxids.get(node.name())))
                .toList();
        return new Listing(sorted, stat, answeredAt, true);
    }

    /** What a leader keeps of it, for as long as it leads. */
    Succession succession(String leader) {
        return contains(leader) ? new Succession(queue.size(), after(leader)) : Succession.UNKNOWN;
    }

    boolean contains(String node) {
        return indexOf(node) >= 0;
    }

    /** The candidate right before the given one; null if that one is first. */
    @Nullable
    String before(String node) {
        int index = indexOf(node);
        return index > 0 ? queue.get(index - 1).name() : null;
    }

    /** The candidate right after the given one, if the order is known. */
    @Nullable
    String after(String node) {
        int next = indexOf(node) + 1;
        return ordered && next > 0 && next < queue.size() ? queue.get(next).name() : null;
    }

    List<String> withGuid(String guid) {
        String prefix = NodeName.prefix(guid);
        List<String> nodes = new ArrayList<>(1);
        for (NodeName node : queue) {
            if (node.name().startsWith(prefix)) {
                nodes.add(node.name());
            }
        }
        return nodes;
    }

    private int indexOf(String node) {
        for (int i = 0; i < queue.size(); i++) {
            if (queue.get(i).name().equals(node)) {
                return i;
            }
        }
        return -1;
    }
}
