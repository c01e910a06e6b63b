package io.github.leaderelection.zookeeper.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many elections each connection should lead, and how many each gives to which other. Connections that see the same
 * loads compute the same shares, so each carries out its own part without coordination: surpluses and gaps are lined up
 * in the order of the connections' names, and each surplus fills the gaps at its own position. A completed move shrinks
 * both sides, so that the parts of the others do not shift.
 *
 * @param targets how many elections each connection should lead
 * @param gifts how many elections one connection gives to each of the others, in the order in which it does so
 */
record Shares(Map<String, Integer> targets, Map<String, Integer> gifts) {

    /**
     * @param giver the connection whose gifts are computed
     * @param loads how many elections each connection leads, the giver among them
     * @param total how many elections there are
     */
    static Shares of(String giver, Map<String, Integer> loads, int total) {
        Map<String, Integer> targets = targets(loads, total);
        int surplus = 0;
        int first = 0;
        int last = 0;
        int gap = 0;
        Map<String, Integer> gaps = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> load : new TreeMap<>(loads).entrySet()) {
            String connection = load.getKey();
            int difference = load.getValue() - targets.getOrDefault(connection, 0);
            if (connection.equals(giver)) {
                first = surplus;
                last = surplus + Math.max(0, difference);
            }
            surplus += Math.max(0, difference);
            gap += Math.max(0, -difference);
            gaps.put(connection, gap);
        }
        Map<String, Integer> gifts = new LinkedHashMap<>();
        int begin = 0;
        for (Map.Entry<String, Integer> end : gaps.entrySet()) {
            int gift = Math.min(last, end.getValue()) - Math.max(first, begin);
            if (gift > 0) {
                gifts.put(end.getKey(), gift);
            }
            begin = end.getValue();
        }
        return new Shares(targets, gifts);
    }

    /** The most loaded connections get the remainder, so that nothing moves if the loads differ by only one. */
    private static Map<String, Integer> targets(Map<String, Integer> loads, int total) {
        List<String> order = new ArrayList<>(loads.keySet());
        order.sort(Comparator.<String>comparingInt(loads::get).reversed().thenComparing(Comparator.naturalOrder()));
        Map<String, Integer> targets = new HashMap<>();
        for (int i = 0; i < order.size(); i++) {
            targets.put(order.get(i), total / order.size() + (i < total % order.size() ? 1 : 0));
        }
        return targets;
    }
}
