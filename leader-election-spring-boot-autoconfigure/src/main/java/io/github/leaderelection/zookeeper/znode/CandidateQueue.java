package io.github.leaderelection.zookeeper.znode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The candidates of an election in the order of the queue, as one reply listed them.
 *
 * @param handOverRequested whether there is a request to hand the leadership over
 * @param recordListed whether there is a record of the leader
 * @param answeredAt when the reply came, by the monotonic clock
 * @param ordered whether the order is known; after an overflow of the sequence it is not, until the czxids are
 */
public record CandidateQueue(
        List<NodeName> nodes, boolean handOverRequested, boolean recordListed, long answeredAt, boolean ordered) {

    /** Before the first list. */
    public static final CandidateQueue NONE = new CandidateQueue(List.of(), false, false, 0, false);

    public static CandidateQueue of(List<String> children, long answeredAt) {
        List<NodeName> nodes = new ArrayList<>(children.size());
        boolean ordered = true;
        for (String child : children) {
            NodeName candidate = NodeName.parse(child).orElse(null);
            if (candidate != null) {
                nodes.add(candidate);
                ordered &= !candidate.overflown();
            }
        }
        nodes.sort((one, other) -> Integer.compare(one.sequence(), other.sequence()));
        return new CandidateQueue(
                List.copyOf(nodes),
                children.contains(HandOverRequest.NODE),
                children.contains(LeaderRecord.NODE),
                answeredAt,
                ordered);
    }

    /** The same candidates in the order of their creation; those without a czxid no longer exist. */
    public CandidateQueue orderedBy(Map<String, Long> czxids, long answeredAt) {
        List<NodeName> sorted = nodes.stream()
                .filter(node -> czxids.containsKey(node.name()))
                .sorted(Comparator.comparing(node -> czxids.get(node.name())))
                .toList();
        return new CandidateQueue(sorted, handOverRequested, recordListed, answeredAt, true);
    }

    /** The candidate that watches the given holder: the next in the queue, or else the first. */
    public @Nullable String watcherOf(String holder) {
        int next = indexOf(holder) + 1;
        return !ordered || nodes.size() < 2
                ? null
                : nodes.get(next % nodes.size()).name();
    }

    /** The candidates of the highest priority among those of other connections. */
    public List<NodeName> highestOfOthers(String connection) {
        int highest = Integer.MIN_VALUE;
        List<NodeName> found = new ArrayList<>();
        for (NodeName other : nodes) {
            if (!other.connection().equals(connection) && other.priority() >= highest) {
                if (other.priority() > highest) {
                    found.clear();
                }
                highest = other.priority();
                found.add(other);
            }
        }
        return found;
    }

    public boolean contains(String node) {
        return indexOf(node) >= 0;
    }

    /** The candidate right before the given one; null if that is the first one. */
    public @Nullable String before(String node) {
        int index = indexOf(node);
        return index > 0 ? nodes.get(index - 1).name() : null;
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

    public List<String> ofConnection(String connection) {
        List<String> found = new ArrayList<>(1);
        for (NodeName node : nodes) {
            if (node.connection().equals(connection)) {
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
