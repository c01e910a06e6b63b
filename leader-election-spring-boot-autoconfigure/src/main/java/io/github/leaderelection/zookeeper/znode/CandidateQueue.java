package io.github.leaderelection.zookeeper.znode;

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
public record CandidateQueue(List<NodeName> nodes, @Nullable Stat stat, long answeredAt, boolean ordered) {

    /** Nothing was listed yet. */
    public static final CandidateQueue NONE = new CandidateQueue(List.of(), null, 0, false);

    public static CandidateQueue of(List<String> children, @Nullable Stat stat, long answeredAt) {
        List<NodeName> nodes = new ArrayList<>(children.size());
        boolean ordered = true;
        for (String child : children) {
            NodeName candidate = NodeName.parse(child).orElse(null);
            if (candidate != null) {
                nodes.add(candidate);
                ordered &= !candidate.overflown();
            }
        }
        nodes.sort(Comparator.comparingInt(NodeName::sequence));
        return new CandidateQueue(List.copyOf(nodes), stat, answeredAt, ordered);
    }

    /** The same candidates in the order in which they were created; those without a czxid are gone. */
    public CandidateQueue orderedBy(Map<String, Long> czxids, long answeredAt) {
        List<NodeName> sorted = nodes.stream()
                .filter(node -> czxids.containsKey(node.name()))
                .sorted(Comparator.comparing(node -> czxids.get(node.name())))
                .toList();
        return new CandidateQueue(sorted, stat, answeredAt, true);
    }

    /** What a leader keeps of it, for as long as it leads. */
    public Successor successor(String leader) {
        return contains(leader) ? new Successor(nodes.size(), after(leader)) : Successor.UNKNOWN;
    }

    public boolean contains(String node) {
        return indexOf(node) >= 0;
    }

    /** The candidate right before the given one; null if that one is first. */
    @Nullable
    public String before(String node) {
        int index = indexOf(node);
        return index > 0 ? nodes.get(index - 1).name() : null;
    }

    /** The candidate right after the given one, if the order is known. */
    @Nullable
    String after(String node) {
        int next = indexOf(node) + 1;
        return ordered && next > 0 && next < nodes.size() ? nodes.get(next).name() : null;
    }

    public List<String> withGuid(String guid) {
        String prefix = NodeName.prefix(guid);
        List<String> found = new ArrayList<>(1);
        for (NodeName node : nodes) {
            if (node.name().startsWith(prefix)) {
                found.add(node.name());
            }
        }
        return found;
    }

    private int indexOf(String node) {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).name().equals(node)) {
                return i;
            }
        }
        return -1;
    }
}
